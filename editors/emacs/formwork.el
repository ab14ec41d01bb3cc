;;; formwork.el --- Schedules of MLIR, checked while they are written -*- lexical-binding: t -*-

;; For Emacs 29, or an older one with the package eglot. In the init file:
;;   (load "/path/to/formwork.el")
;;   (setq formwork-server '("/path/to/formwork-lsp-server" "--target=sm_90"))

;;; Code:

(require 'eglot)

(defvar formwork-server '("formwork-lsp-server")
  "The command that starts the server: a program and its options.")

;; LLVM has a mode of this name with colors, which is taken if it is loaded.
(unless (fboundp 'mlir-mode)
  (define-derived-mode mlir-mode prog-mode "MLIR"
    "Payloads and schedules of MLIR."
    (setq-local comment-start "// "))
  (add-to-list 'auto-mode-alist '("\\.mlir\\'" . mlir-mode)))

(add-to-list 'eglot-server-programs
             (cons 'mlir-mode (lambda (&rest _) formwork-server)))
(add-hook 'mlir-mode-hook #'eglot-ensure)

(provide 'formwork)
;;; formwork.el ends here
