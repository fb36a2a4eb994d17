import { useEffect } from 'react'
import { ConfigEditor } from './config-editor.tsx'
import { hostEdits, openEdit, useOpenEdit } from './open-edit.ts'

/** Draws the editor of the object that is being edited, whatever page is shown: a panel of Headlamp's frame. */
export const EditorPanel = () => {
  useEffect(hostEdits, [])
  const item = useOpenEdit()
  return item === undefined ? (
    <></>
  ) : (
    <ConfigEditor key={`${item.cluster}/${item.metadata.uid}`} item={item} onClose={() => openEdit(undefined)} />
  )
}
