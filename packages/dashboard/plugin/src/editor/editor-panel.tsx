import { useEffect } from 'react'
import { ConfigEditor } from './config-editor.tsx'
import { hostEdits, openEdit, useOpenEdit } from './open-edit.ts'

/**
 * Shows the editor for the object that is being edited, as a panel of Headlamp's frame. It is visible on every page.
 */
export const EditorPanel = () => {
  useEffect(hostEdits, [])
  const opened = useOpenEdit()
  if (opened === undefined) return <></>
  const { cluster, metadata } = opened.item
  return <ConfigEditor key={`${cluster}/${metadata.uid}`} {...opened} onClose={() => openEdit(undefined)} />
}
