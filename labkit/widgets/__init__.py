"""Pictures that a learner can hold: what is drawn is a pure function of what was recorded; the view is thin."""
