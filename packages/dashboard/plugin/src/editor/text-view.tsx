import { DiffEditor, Editor, type Monaco } from '@monaco-editor/react'
import { Box, Tab, Tabs, Typography, useTheme } from '@mui/material'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../locales/use-t.ts'
import type { TextProblem } from '../model/editing.ts'

const OPTIONS = {
  minimap: { enabled: false },
  automaticLayout: true,
  scrollBeyondLastLine: false,
  fontSize: 13,
} as const

/**
 * The condition under which Escape moves the focus out of the text: the editor has no open widget that Escape would
 * close.
 */
const LEAVES = 'editorTextFocus && !findWidgetVisible && !suggestWidgetVisible && !editorHasMultipleSelections'

export type View = 'edit' | 'diff'

/** The part of Monaco's code editor API that this file uses. */
interface CodeEditor {
  getValue(): string
  addCommand(key: number, run: () => void, context: string): unknown
  onDidChangeModelContent(listener: () => void): unknown
}

const markProblems = (api: Monaco, path: string, problems: readonly TextProblem[]): void => {
  const model = api.editor.getModel(api.Uri.parse(path))
  if (model === null) return
  api.editor.setModelMarkers(
    model,
    'kerf',
    problems.map(({ line, column, message, severity }) => ({
      startLineNumber: line,
      startColumn: column,
      endLineNumber: line,
      endColumn: Number.MAX_SAFE_INTEGER,
      message,
      severity: severity === 'error' ? api.MarkerSeverity.Error : api.MarkerSeverity.Warning,
    })),
  )
}

let editors = 0

interface TextViewProps {
  readonly view: View
  readonly before: string
  readonly text: string
  readonly problems: readonly TextProblem[]
  onView(view: View): void
  onChange(text: string): void
}

/**
 * Shows the editable text, alone or next to the stored text. Both views share one text, so undo works in both. Tab indents the text, so
 * Escape moves the focus out of it. A line below the text explains this (WCAG 2.1.2).
 */
export const TextView = ({ view, before, text, problems, onView, onChange }: TextViewProps) => {
  const t = useT()
  const { palette } = useTheme()
  const theme = palette.mode === 'dark' ? 'vs-dark' : 'light'
  // Both views have one model, because Monaco keeps the undo history in the model.
  const [path] = useState(() => `kerf-edit-${++editors}.yaml`)
  const monaco = useRef<Monaco>()
  const hint = useRef<HTMLElement>(null)
  const latest = useRef({ problems, onChange })
  latest.current = { problems, onChange }
  useEffect(() => {
    if (monaco.current !== undefined) markProblems(monaco.current, path, problems)
  }, [problems, path])
  useEffect(
    () => () => {
      // Runs after the editors are disposed. An editor reports an error if its model is disposed first.
      setTimeout(() => {
        for (const each of [path, `${path}.before`])
          monaco.current?.editor.getModel(monaco.current.Uri.parse(each))?.dispose()
      })
    },
    [path],
  )
  const mounted = (editor: CodeEditor, api: Monaco): void => {
    monaco.current = api
    markProblems(api, path, latest.current.problems)
    editor.addCommand(api.KeyCode.Escape, () => hint.current?.focus(), LEAVES)
  }
  const options = { ...OPTIONS, ariaLabel: `YAML. ${t('editorKeys')}` }
  return (
    <Box sx={{ flex: '3 1 320px', minWidth: 0, minHeight: 300, display: 'flex', flexDirection: 'column' }}>
      <Tabs value={view} onChange={(_, chosen) => onView(chosen)} aria-label={t('view')}>
        <Tab value="edit" label={t('edit')} />
        <Tab value="diff" label={t('compare')} />
      </Tabs>
      <Box sx={{ flex: 1, minHeight: 0 }}>
        {view === 'edit' ? (
          <Editor
            language="yaml"
            theme={theme}
            path={path}
            value={text}
            options={options}
            keepCurrentModel
            onMount={(editor, api) => mounted(editor, api)}
            onChange={(changed) => onChange(changed ?? '')}
          />
        ) : (
          <DiffEditor
            language="yaml"
            theme={theme}
            original={before}
            modified={text}
            originalModelPath={`${path}.before`}
            modifiedModelPath={path}
            keepCurrentOriginalModel
            keepCurrentModifiedModel
            options={{
              ...options,
              renderSideBySide: true,
              useInlineViewWhenSpaceIsLimited: false,
              originalEditable: false,
            }}
            onMount={(editor, api) => {
              const modified = editor.getModifiedEditor()
              mounted(modified, api)
              modified.onDidChangeModelContent(() => latest.current.onChange(modified.getValue()))
            }}
          />
        )}
      </Box>
      <Typography ref={hint} tabIndex={-1} variant="caption" color="text.secondary">
        {t('editorKeys')}
      </Typography>
    </Box>
  )
}
