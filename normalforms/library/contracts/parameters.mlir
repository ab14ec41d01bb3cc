// The contracts of what makes parameters: knobs, choices and constraints. That
// a knob is open, or that constraints stand in the schedule, is no failure: the
// values are filled in before it runs.

normalform.contract "transform.tune.knob" complete model "knob" {
  normalform.decides ["fw-knob-domain"]
  normalform.leaves_open "is a choice among values that are no integers"
}
normalform.contract "transform.tune.alternatives" complete model "tune-alternatives" {
}
normalform.contract "transform.smt.constrain_params" complete model "constrain-params" {
  normalform.leaves_open "has a constraint that is not modelled:"
}
