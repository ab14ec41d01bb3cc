// The contracts of ops that make parameters: knobs, choices and constraints. An
// open knob or a constraint in the schedule is not a failure: the values are
// filled in before the schedule runs.

normalform.contract "transform.tune.knob" complete model "knob" {
  normalform.side_effects ["opens_parameters"]
  normalform.admits ["*"] by "the step only hands payload on"
  normalform.domain "options" ["any"]
  normalform.domain "selected" ["any"]
}
normalform.contract "transform.tune.alternatives" complete model "tune-alternatives" {
  normalform.side_effects ["opens_parameters"]
  normalform.admits ["*"] by "the step only hands payload on"
  normalform.domain "selected_region_attr" ["at_least 0"]
}
normalform.contract "transform.smt.constrain_params" complete model "constrain-params" {
  normalform.side_effects ["opens_parameters"]
  normalform.admits ["*"] by "the step only hands payload on"
}
