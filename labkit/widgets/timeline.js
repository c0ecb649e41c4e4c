// The view of labkit.widgets.timeline_view: it draws `page`, and sends what is pressed. It decides nothing.

const PLAY_EVERY = 600; // milliseconds

const FRAME = `
  <div class="labkit-row" role="group" aria-label="Time">
    <button type="button" data-act="jump_back">Back to a deadline</button>
    <button type="button" data-act="step_back">Back a step</button>
    <button type="button" data-play>Play</button>
    <button type="button" data-act="step">Step</button>
    <button type="button" data-act="jump_just_before">Just before a deadline</button>
    <button type="button" data-act="jump">To a deadline</button>
  </div>
  <div class="labkit-scroll" tabindex="0" role="group" aria-label="Slider and picture">
    <div class="labkit-card">
      <div class="labkit-slider"><input type="range" min="0" step="any" aria-label="Now, in seconds"></div>
      <div class="labkit-picture"></div>
    </div>
  </div>
  <div class="labkit-row" role="group" aria-label="At the latest time">
    <label>Key <select></select></label>
    <label data-bytes>Bytes <input type="number" min="0" step="1" value="10"></label>
    <button type="button" data-act="put" data-with-key>Put</button>
    <button type="button" data-act="get" data-with-key>Get</button>
    <button type="button" data-act="peek" data-with-key>Peek</button>
    <button type="button" data-act="revoke" data-with-key>Revoke</button>
    <button type="button" data-act="latest">To the latest time</button>
    <span class="labkit-note"></span>
  </div>
  <p class="labkit-words" role="status" aria-live="polite"></p>
  <details>
    <summary>The same as a table</summary>
    <div class="labkit-table"></div>
  </details>
  <details>
    <summary>Keys of the slider</summary>
    <p>Left and right arrow: one step. Page down: back to a deadline. Page up: on to the next deadline.
    Home: to 0. End: to the latest time. Dragged past the latest time, the slider lets time pass.</p>
  </details>`;

const SLIDER_KEYS = {
  ArrowLeft: "step_back",
  ArrowDown: "step_back",
  ArrowRight: "step",
  ArrowUp: "step",
  PageDown: "jump_back",
  PageUp: "jump",
  Home: "start",
  End: "latest",
};

function render({ model, el }) {
  const root = document.createElement("section");
  root.className = "labkit-timeline";
  root.setAttribute("aria-label", "Timeline of a cache on a fake clock");
  root.innerHTML = FRAME;
  el.append(root);

  const find = (selector) => root.querySelector(selector);
  const slider = find(".labkit-slider input");
  const key = find("select");
  const bytes = find("input[type=number]");
  const play = find("[data-play]");
  const words = find(".labkit-words");
  const generic = Object.fromEntries([...root.querySelectorAll("[data-act]")].map((b) => [b.dataset.act, b.textContent]));
  let timer = null;
  let dragging = false;

  function keepKeys() {
    for (const control of root.querySelectorAll("button, select, input, summary, [tabindex]")) {
      control.setAttribute("data-lm-suppress-shortcuts", "true"); // else JupyterLab takes arrows, Enter and letters
    }
  }

  const send = (act) => model.send({ act, key: key.value, size: Number(bytes.value) });
  const isOff = (button) => button.getAttribute("aria-disabled") === "true";
  // Not `disabled`: a button that is switched off while it has the focus would lose the place in the tab order.
  const turn = (button, on) => button.setAttribute("aria-disabled", String(!on));

  function say(text) {
    // A screen reader passes over what has not changed, and a press must be answered all the same.
    words.textContent = text === words.textContent ? `${text}\u00a0` : text;
  }

  function label(page) {
    for (const [act, text] of Object.entries(page.buttons)) {
      const button = find(`[data-act=${act}]`);
      button.textContent = text || generic[act];
      turn(button, Boolean(text));
    }
    find("[data-act=latest]").hidden = !page.buttons.latest;
    turn(play, page.playable);
    for (const button of root.querySelectorAll("[data-with-key]")) turn(button, !page.back_note);
    find(".labkit-note").textContent = page.back_note;
    labelGrant(page);
  }

  function labelGrant(page) {
    const button = find("[data-act=revoke], [data-act=grant]");
    const isRevoked = page.revoked.includes(key.value);
    button.dataset.act = isRevoked ? "grant" : "revoke";
    button.textContent = isRevoked ? "Grant again" : "Revoke";
  }

  function offer(keys) {
    for (const name of keys.slice(key.options.length)) key.add(new Option(name));
  }

  function draw() {
    const page = model.get("page");
    find(".labkit-picture").innerHTML = page.picture;
    const title = find(".labkit-picture title"); // it would follow the pointer as a tooltip
    title.parentNode.setAttribute("aria-label", title.textContent);
    title.remove();
    find(".labkit-table").innerHTML = page.table;
    keepKeys();
    find("[data-bytes]").hidden = !page.sized;
    offer(page.keys);
    label(page);
    slider.max = page.horizon;
    if (!dragging) slider.value = page.now; // the trait `now` arrives by itself, a moment later
    slider.setAttribute("aria-valuetext", `${page.instant} seconds`);
    words.classList.toggle("labkit-failed", page.failed);
    say(page.words);
    if (!page.playable) pause();
  }

  function pause() {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
  }

  function start() {
    timer = setInterval(() => send("tick"), PLAY_EVERY);
    play.textContent = "Pause";
  }

  root.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    if (isOff(button)) return say(words.textContent);
    if (button === play) return timer ? pause() : start();
    pause();
    send(button.dataset.act);
  });
  key.addEventListener("change", () => labelGrant(model.get("page")));
  slider.addEventListener("pointerdown", () => { dragging = true; pause(); });
  for (const end of ["pointerup", "pointercancel"]) {
    slider.addEventListener(end, () => { dragging = false; draw(); });
  }
  slider.addEventListener("input", () => {
    const { grid } = model.get("page");
    model.set("now", Math.round(slider.value / grid) * grid);
    model.save_changes();
  });
  slider.addEventListener("keydown", (event) => {
    const act = SLIDER_KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    pause();
    send(act);
  });

  model.on("change:page", draw);
  draw();
  return () => { clearInterval(timer); model.off("change:page", draw); };
}

export default { render };
