// The contracts of what makes parameters: knobs, choices and constraints. That
// a knob is open, or that constraints stand in the schedule, is no failure: the
// values are filled in before it runs.

normalform.contract "transform.tune.knob" complete model "knob" {
}
normalform.contract "transform.tune.alternatives" complete model "tune-alternatives" {
}
normalform.contract "transform.smt.constrain_params" complete model "constrain-params" {
}
