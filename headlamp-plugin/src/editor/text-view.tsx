import { DiffEditor, Editor, type Monaco } from '@monaco-editor/react'
import { Box, Tab, Tabs, useTheme } from '@mui/material'
import { useEffect, useRef } from 'react'
import { useT } from '../locales/use-t.ts'
import type { TextProblem } from '../model/editing.ts'

const OPTIONS = {
  minimap: { enabled: false },
  automaticLayout: true,
  scrollBeyondLastLine: false,
  fontSize: 13,
} as const

export type View = 'edit' | 'diff'

interface Model {
  readonly uri: unknown
}

interface Mounted {
  readonly api: Monaco
  readonly model: Model | null
}

const markProblems = ({ api, model }: Mounted, problems: readonly TextProblem[]): void => {
  api.editor.setModelMarkers(
    model as never,
    'kerf',
    problems.map(({ line, column, message }) => ({
      startLineNumber: line,
      startColumn: column,
      endLineNumber: line,
      endColumn: Number.MAX_SAFE_INTEGER,
      message,
      severity: api.MarkerSeverity.Error,
    })),
  )
}

interface EditedTextProps {
  readonly text: string
  readonly problems: readonly TextProblem[]
  readonly theme: string
  onChange(text: string): void
}

/** The text with its problems underlined. */
const EditedText = ({ text, problems, theme, onChange }: EditedTextProps) => {
  const mounted = useRef<Mounted>()
  useEffect(() => {
    if (mounted.current !== undefined && mounted.current.model !== null) markProblems(mounted.current, problems)
  }, [problems])
  return (
    <Editor
      language="yaml"
      theme={theme}
      value={text}
      options={OPTIONS}
      onMount={(editor, api) => {
        mounted.current = { api, model: editor.getModel() }
        if (mounted.current.model !== null) markProblems(mounted.current, problems)
      }}
      onChange={(changed) => onChange(changed ?? '')}
    />
  )
}

/** What is stored beside the text. */
const ComparedText = ({
  before,
  text,
  theme,
}: {
  readonly before: string
  readonly text: string
  readonly theme: string
}) => (
  <DiffEditor
    language="yaml"
    theme={theme}
    original={before}
    modified={text}
    options={{ ...OPTIONS, readOnly: true, renderSideBySide: true }}
    // Left to itself it throws its texts away before the editor lets go of them.
    keepCurrentOriginalModel
    keepCurrentModifiedModel
    onMount={(editor) => {
      const models = editor.getModel()
      editor.onDidDispose(() => {
        models?.original.dispose()
        models?.modified.dispose()
      })
    }}
  />
)

/** The text to edit, or its comparison with what is stored. */
export const TextView = ({
  view,
  onView,
  before,
  text,
  problems,
  onChange,
}: Omit<EditedTextProps, 'theme'> & {
  readonly view: View
  readonly before: string
  readonly onView: (view: View) => void
}) => {
  const t = useT()
  const { palette } = useTheme()
  const theme = palette.mode === 'dark' ? 'vs-dark' : 'light'
  return (
    <Box sx={{ flex: 3, minWidth: 0, display: 'flex', flexDirection: 'column' }}>
      <Tabs value={view} onChange={(_, chosen) => onView(chosen)} aria-label={t('view')}>
        <Tab value="edit" label={t('edit')} />
        <Tab value="diff" label={t('compare')} />
      </Tabs>
      <Box sx={{ flex: 1, minHeight: 0 }}>
        {view === 'edit' ? (
          <EditedText text={text} problems={problems} theme={theme} onChange={onChange} />
        ) : (
          <ComparedText before={before} text={text} theme={theme} />
        )}
      </Box>
    </Box>
  )
}
