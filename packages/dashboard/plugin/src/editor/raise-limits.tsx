import { AuthVisible } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Button } from '@mui/material'
import { type AnyObject, NodePool } from '../cluster/classes.ts'
import { useT } from '../locales/use-t.ts'
import { ConfigEditor } from './config-editor.tsx'
import { openEdit, useIsHosted, useOpenEdit } from './open-edit.ts'

interface Props {
  readonly nodePool: string
  readonly limits: Readonly<Record<string, unknown>>
}

/** Shows a button that opens the editor of a NodePool with proposed limits. Hidden if the user is not allowed to change the NodePool. */
export const RaiseLimits = ({ nodePool, limits }: Props) => {
  const t = useT()
  const isHosted = useIsHosted()
  const opened = useOpenEdit()
  const [item] = NodePool.useGet(nodePool) as readonly [AnyObject | null, unknown]
  if (item === null || item === undefined) return null
  const what = Object.entries(limits).map(([resource, limit]) => `${resource}: ${String(limit)}`)
  return (
    <AuthVisible item={item} authVerb="update">
      <Button
        size="small"
        title={what.join(', ')}
        onClick={() => openEdit({ item, proposed: { path: ['spec', 'limits'], value: limits } })}
      >
        {t('openInEditor')}
      </Button>
      {!isHosted && opened !== undefined && <ConfigEditor {...opened} onClose={() => openEdit(undefined)} />}
    </AuthVisible>
  )
}
