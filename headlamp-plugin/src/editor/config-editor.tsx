import { Dialog } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box, Button, DialogActions, DialogContent } from '@mui/material'
import { useState } from 'react'
import { LiveObjects } from '../cluster/live-objects.tsx'
import { useT } from '../locales/use-t.ts'
import { Boundary } from '../parts/boundary.tsx'
import { Note } from '../parts/note.tsx'
import { EffectPanel } from './effect-panel.tsx'
import { OutcomeNote, Problems, TheirChanges, UnsavedNote } from './findings.tsx'
import type { OpenedEdit } from './open-edit.ts'
import { TextView } from './text-view.tsx'
import { useEdit } from './use-edit.ts'
import { useLeaving } from './use-leaving.ts'

/**
 * Edits one object as YAML without status and server fields: checked by the cluster's own schema and rules while typing, compared with what is stored,
 * tried on the API server, its effect on nodes and cost shown, and saved only onto the version that the editing began
 * with. Whatever closes it asks first while there are unsaved changes, and only a button loses them. When somebody else
 * changes or deletes the object, that is said at once and no text is lost.
 */
export const ConfigEditor = ({ item, proposed, onClose }: OpenedEdit & { readonly onClose: () => void }) => {
  const t = useT()
  const [leave, setLeave] = useState<() => void>()
  const edit = useEdit({ item, proposed }, onClose)
  const ask = (then: () => void): void => setLeave(() => then)
  useLeaving(edit.isChanged, ask, onClose)
  const change = (text: string): void => {
    edit.change(text)
    setLeave(undefined)
  }
  const close = (): void => {
    if (edit.isChanged) ask(() => undefined)
    else onClose()
  }
  const discard = (): void => {
    leave?.()
    onClose()
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
      <DialogContent sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, height: '72vh', minHeight: 420 }}>
        <TextView {...edit} onView={edit.setView} onChange={change} />
        <Box sx={{ flex: '2 1 280px', minWidth: 0, overflow: 'auto' }}>
          {leave !== undefined && <UnsavedNote onDiscard={discard} onKeep={() => setLeave(undefined)} />}
          <TheirChanges {...edit} />
          {!edit.hasSchema && <Note tone="warning">{t('noSchema')}</Note>}
          <Problems problems={edit.problems} />
          <OutcomeNote outcome={edit.outcome} />
          {edit.isChanged && (
            // What an edit would do is an extra: it never takes the text with it.
            <Boundary of={edit.object}>
              <LiveObjects>
                <EffectPanel original={edit.original} edited={edit.effective} />
              </LiveObjects>
            </Boundary>
          )}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button disabled={!edit.isChanged} onClick={edit.undo}>
          {t('undo')}
        </Button>
        <Button onClick={close}>{t('close')}</Button>
        <Button disabled={!edit.canSend} onClick={() => void edit.sendIt(true)}>
          {t('dryRun')}
        </Button>
        <Button variant="contained" disabled={!edit.canSend} onClick={() => void edit.sendIt(false)}>
          {t('save')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
