import { Dialog } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { DiffEditor, Editor, type Monaco } from '@monaco-editor/react'
import { Box, Button, DialogActions, DialogContent, Tab, Tabs, Typography, useTheme } from '@mui/material'
import { useSnackbar } from 'notistack'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { AnyObject } from '../cluster/classes.ts'
import { useT } from '../locales/use-t.ts'
import { checkText, textOf } from '../model/editing.ts'
import { Note } from '../parts/note.tsx'
import { EffectPanel } from './effect-panel.tsx'
import { type Outcome, reload, send } from './save.ts'
import { useSchema } from './use-schema.ts'

const OPTIONS = {
  minimap: { enabled: false },
  automaticLayout: true,
  scrollBeyondLastLine: false,
  fontSize: 13,
} as const

interface Model {
  readonly uri: unknown
}

/**
 * Edits one object as clean YAML: checked by the cluster's own schema and rules while typing, compared with what is stored,
 * tried on the API server, its effect on nodes and cost shown, and saved only onto the version that the editing began
 * with. Closing with changes asks first; a change by somebody else loses nobody's text.
 */
export const ConfigEditor = ({ item, onClose }: { readonly item: AnyObject; readonly onClose: () => void }) => {
  const t = useT()
  const { palette } = useTheme()
  const { enqueueSnackbar } = useSnackbar()
  const [original, setOriginal] = useState<unknown>(item.jsonData)
  const before = useMemo(() => textOf(original), [original])
  const [text, setText] = useState(before)
  const [view, setView] = useState<'edit' | 'diff'>('edit')
  const [outcome, setOutcome] = useState<Outcome>()
  const [isBusy, setBusy] = useState(false)
  const [isLeaving, setClosing] = useState(false)
  const schema = useSchema(item)
  const { object, problems } = useMemo(
    () => checkText(text, schema === 'asking' || schema === 'none' ? undefined : schema, original),
    [text, schema, original],
  )
  const monaco = useRef<{ readonly api: Monaco; readonly model: Model | null }>()
  useEffect(() => {
    const { api, model } = monaco.current ?? {}
    if (api === undefined || model === null || model === undefined) return
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
  }, [problems, view])
  const theme = palette.mode === 'dark' ? 'vs-dark' : 'light'
  const isChanged = text !== before

  const sendIt = async (dryRun: boolean): Promise<void> => {
    if (object === undefined) return
    setBusy(true)
    const result = await send(item, original, object, dryRun)
    setBusy(false)
    setOutcome(result)
    if (result.kind === 'accepted' && !dryRun) {
      enqueueSnackbar(t('saved', { name: item.getName() }), { variant: 'success' })
      onClose()
    }
  }
  /** The stored object becomes the new beginning; the edited text stays, so the comparison shows both changes. */
  const rebase = async (): Promise<void> => {
    const now = await reload(item)
    if (now === undefined) return
    setOriginal(now)
    setOutcome(undefined)
    setView('diff')
  }
  const close = (): void => {
    if (isChanged && !isLeaving) setClosing(true)
    else onClose()
  }
  return (
    <Dialog
      open
      onClose={(_event: unknown, reason?: string) => reason !== 'backdropClick' && close()}
      title={t('editTitle', { kind: item.kind, name: item.getName() })}
      withFullScreen
      maxWidth="xl"
      fullWidth
    >
      <DialogContent sx={{ display: 'flex', gap: 2, height: '72vh', minHeight: 420 }}>
        <Box sx={{ flex: 3, minWidth: 0, display: 'flex', flexDirection: 'column' }}>
          <Tabs value={view} onChange={(_, chosen) => setView(chosen)} aria-label={t('view')}>
            <Tab value="edit" label={t('edit')} />
            <Tab value="diff" label={t('compare')} />
          </Tabs>
          <Box sx={{ flex: 1, minHeight: 0 }}>
            {view === 'edit' ? (
              <Editor
                language="yaml"
                theme={theme}
                value={text}
                options={OPTIONS}
                onMount={(editor, api) => {
                  monaco.current = { api, model: editor.getModel() }
                  setText((current) => current)
                }}
                onChange={(changed) => {
                  setText(changed ?? '')
                  setOutcome(undefined)
                  setClosing(false)
                }}
              />
            ) : (
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
            )}
          </Box>
        </Box>
        <Box sx={{ flex: 2, minWidth: 280, overflow: 'auto' }}>
          {schema === 'none' && <Note tone="warning">{t('noSchema')}</Note>}
          <Typography variant="subtitle1">{t('problems')}</Typography>
          {problems.length === 0 ? (
            <Note tone="success">{t('noProblems')}</Note>
          ) : (
            <ol aria-label={t('problems')}>
              {problems.map(({ line, column, message }) => (
                <li key={`${line}:${column}:${message}`}>
                  {t('atLine', { line, column })}: {message}
                </li>
              ))}
            </ol>
          )}
          {outcome?.kind === 'accepted' && <Note tone="success">{t('dryRunPassed')}</Note>}
          {outcome?.kind === 'refused' && <Note tone="error">{outcome.message}</Note>}
          {outcome?.kind === 'conflict' && (
            <Note tone="warning">
              {t('conflict')} <Button onClick={() => void rebase()}>{t('rebase')}</Button>
            </Note>
          )}
          {isLeaving && (
            <Note tone="warning">
              {t('unsaved')} <Button onClick={onClose}>{t('discard')}</Button>
              <Button onClick={() => setClosing(false)}>{t('keepEditing')}</Button>
            </Note>
          )}
          {isChanged && <EffectPanel original={original} edited={object} />}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button disabled={!isChanged} onClick={() => setText(before)}>
          {t('undo')}
        </Button>
        <Button onClick={close}>{t('close')}</Button>
        <Button disabled={!isChanged || problems.length > 0 || isBusy} onClick={() => void sendIt(true)}>
          {t('dryRun')}
        </Button>
        <Button
          variant="contained"
          disabled={!isChanged || problems.length > 0 || isBusy}
          onClick={() => void sendIt(false)}
        >
          {t('save')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
