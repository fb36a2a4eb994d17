import { useEffect } from 'react'
import { ConfigEditor } from './config-editor.tsx'
import { hostEdits, openEdit, useOpenEdit } from './open-edit.ts'

/** Draws the editor of the object that is being edited, whatever page is shown: a panel of Headlamp's frame. */
export const EditorPanel = () => {
  useEffect(hostEdits, [])
  const opened = useOpenEdit()
  if (opened === undefined) return <></>
  const { cluster, metadata } = opened.item
  return <ConfigEditor key={`${cluster}/${metadata.uid}`} {...opened} onClose={() => openEdit(undefined)} />
}
