import { Dialog } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box, Button, DialogActions, DialogContent } from '@mui/material'
import { useState } from 'react'
import type { AnyObject } from '../cluster/classes.ts'
import { useT } from '../locales/use-t.ts'
import { Note } from '../parts/note.tsx'
import { EffectPanel } from './effect-panel.tsx'
import { OutcomeNote, Problems, UnsavedNote } from './findings.tsx'
import { TextView } from './text-view.tsx'
import { useEdit } from './use-edit.ts'

/**
 * Edits one object as YAML without status and server fields: checked by the cluster's own schema and rules while typing, compared with what is stored,
 * tried on the API server, its effect on nodes and cost shown, and saved only onto the version that the editing began
 * with. Closing with unsaved changes asks first. When somebody else changes the object, no text is lost.
 */
export const ConfigEditor = ({ item, onClose }: { readonly item: AnyObject; readonly onClose: () => void }) => {
  const t = useT()
  const [isClosing, setClosing] = useState(false)
  const edit = useEdit(item, onClose)
  const change = (text: string): void => {
    edit.change(text)
    setClosing(false)
  }
  const close = (): void => {
    if (edit.isChanged && !isClosing) setClosing(true)
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
        <TextView {...edit} onView={edit.setView} onChange={change} />
        <Box sx={{ flex: 2, minWidth: 280, overflow: 'auto' }}>
          {!edit.hasSchema && <Note tone="warning">{t('noSchema')}</Note>}
          <Problems problems={edit.problems} />
          <OutcomeNote outcome={edit.outcome} onRebase={() => void edit.rebase()} />
          {isClosing && <UnsavedNote onDiscard={onClose} onKeep={() => setClosing(false)} />}
          {edit.isChanged && <EffectPanel original={edit.original} edited={edit.object} />}
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
