import { ActionButton, AuthVisible } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import type { AnyObject } from '../cluster/classes.ts'
import { useT } from '../locales/use-t.ts'
import { ConfigEditor } from './config-editor.tsx'
import { openEdit, useIsHosted, useOpenEdit } from './open-edit.ts'

/** The icon is part of the plugin, because Headlamp would request an unknown icon from the Internet (see `index.tsx`). */
const ICON = {
  body: '<path fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" d="M4 20h4L19 9l-4-4L4 16zM13 7l4 4M4 4h6M4 8h4"/>',
  width: 24,
  height: 24,
}

/** Shows the button that opens the editor. Hidden if the user is not allowed to change the object. */
export const EditAction = ({ item }: { readonly item: AnyObject }) => {
  const t = useT()
  const isHosted = useIsHosted()
  const opened = useOpenEdit()
  return (
    <AuthVisible item={item} authVerb="update">
      <ActionButton description={t('editWithEffect')} icon={ICON} onClick={() => openEdit({ item })} />
      {!isHosted && opened !== undefined && <ConfigEditor {...opened} onClose={() => openEdit(undefined)} />}
    </AuthVisible>
  )
}
