;;; Run by Emacs in batch: diagnostics come, a fix-it is carried out, and they go. -*- lexical-binding: t -*-
;; $SERVER is the server, $FOLDER holds schedule.mlir and its payload.mlir, $PLUGIN is formwork.el.

(load (getenv "PLUGIN") nil t)
(setq formwork-server (list (getenv "SERVER")))
(remove-hook 'mlir-mode-hook #'eglot-ensure)
(setq eglot-autoshutdown t make-backup-files nil)

(defun fail (what)
  (message "emacs_test: %s" what)
  (kill-emacs 1))

(defun wait (what done)
  (let ((end (+ (float-time) 20)))
    (while (and (not (funcall done)) (< (float-time) end))
      (accept-process-output nil 0.05)
      (flymake-start))
    (unless (funcall done) (fail (concat "no " what)))))

(defun found ()
  (seq-filter (lambda (one) (string-match-p "form @" (flymake-diagnostic-text one))) (flymake-diagnostics)))

(find-file (expand-file-name "schedule.mlir" (getenv "FOLDER")))
(unless (eq major-mode 'mlir-mode) (fail "the mode is another one"))
;; Without a command loop, nothing else connects.
(let ((eglot-sync-connect 20))
  (apply #'eglot--connect (eglot--guess-contact)))
(wait "missing form" (lambda () (= (length (found)) 2)))
(let* ((first (car (found)))
       (text (flymake-diagnostic-text first)))
  (unless (string-match-p "\nline [0-9]+: " text) (fail (concat "the message has no other places: " text)))
  (let (actions)
    (wait "action"
          (lambda ()
            (setq actions (append (eglot-code-actions (flymake-diagnostic-beg first)
                                                      (flymake-diagnostic-end first))
                                  nil))
            (= (length actions) 2)))
    (eglot--apply-workspace-edit (plist-get (car actions) :edit))
    ;; A timer of the command loop does so else.
    (eglot--signal-textDocument/didChange)))
(wait "end of the first diagnostic" (lambda () (= (length (found)) 1)))
(set-buffer-modified-p nil)
(message "emacs_test: passed")
(kill-emacs 0)
