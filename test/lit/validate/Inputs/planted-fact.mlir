// A claim that is wrong, and of which no verdict tells: the op becomes another one.
normalform.contract "transform.structured.generalize" complete {
  normalform.accepts 0 ["$structured"] otherwise "transform applied to the wrong op kind"
  normalform.result 0 "same" of 0 count "per_target"
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
}
