import { Dialog } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box, Button, DialogActions, DialogContent } from '@mui/material'
import { useState } from 'react'
import { LiveObjects } from '../cluster/live-objects.tsx'
import { Boundary } from '../components/boundary.tsx'
import { Note } from '../components/note.tsx'
import { useT } from '../locales/use-t.ts'
import { EffectPanel } from './effect-panel.tsx'
import { OutcomeNote, Problems, TheirChanges, UnsavedNote } from './findings.tsx'
import type { OpenedEdit } from './open-edit.ts'
import { TextView } from './text-view.tsx'
import { useEdit } from './use-edit.ts'
import { useLeaving } from './use-leaving.ts'

/**
 * Lets the user edit one object as YAML, without status and server-managed fields. While the user types, it checks the text against the
 * cluster's own schema and rules, compares it with the stored object, and shows the effect on nodes and cost. It can send a dry run. It
 * saves only if nobody else has changed the object since editing began. It asks before unsaved changes are lost. If another user changes or
 * deletes the object, it shows this at once and keeps the text.
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
            // The effect panel is optional: if it throws an error, the text editor remains usable.
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
