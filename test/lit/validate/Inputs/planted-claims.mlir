// Five contracts that lack what makes their step fail: the campaign finds each.
normalform.contract "transform.loop.coalesce" complete {
  normalform.accepts 0 ["scf.for", "affine.for"] otherwise "failed to coalesce"
  normalform.result 0 "replaces" of 0 count "per_target"
  normalform.payload "anchor" introduces ["arith.*", "affine.*"] rewrites ["scf.for", "affine.for"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
}
normalform.contract "transform.loop.pipeline" complete {
  normalform.result 0 "replaces" of 0 kinds ["scf.for"] count "per_target"
  normalform.payload "anchor" introduces ["+*", "arith.*", "scf.*"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
}
normalform.contract "transform.structured.decompose" complete {
  normalform.accepts 0 ["$structured"] otherwise "transform applied to the wrong op kind"
  normalform.result 0 "replaces" of 0 count "per_target"
  normalform.payload "target" introduces ["linalg.*", "tensor.*", "arith.constant"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
}
normalform.contract "transform.structured.transpose_matmul" complete {
  normalform.accepts 0 ["$structured"] otherwise "transform applied to the wrong op kind"
  normalform.result 0 "replaces" of 0 kinds ["$structured"] count "per_target"
  normalform.payload "anchor" introduces ["linalg.*", "tensor.empty", "tensor.dim", "arith.*", "memref.*"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
}
normalform.contract "transform.structured.flatten_elementwise" complete {
  normalform.accepts 0 ["$structured"] otherwise "transform applied to the wrong op kind"
  normalform.result 0 "replaces" of 0 count "per_target"
  normalform.payload "anchor" introduces ["tensor.*", "memref.*", "arith.*", "affine.*"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
}
