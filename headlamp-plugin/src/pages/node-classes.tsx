import { ResourceListView } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box } from '@mui/material'
import { type AnyObject, nodeClassOf } from '../cluster/classes.ts'
import { servedNodeClasses, useDiscovery } from '../cluster/discovery.ts'
import type { Key } from '../locales/translate.ts'
import { useT } from '../locales/use-t.ts'
import { servedNodeClassColumns } from '../model/generated/node-class-kinds.ts'
import { columnText, type NodeClassColumn } from '../model/node-class-columns.ts'
import { readyStatus } from '../model/status.ts'
import { Guard } from '../parts/guard.tsx'
import { ClassLink } from '../parts/links.tsx'
import { ReadyChip } from '../parts/status-chip.tsx'

/** The columns of kinds that other providers serve. Kinds not listed have the common columns only. */
const otherColumns: Readonly<Record<string, readonly NodeClassColumn<Key>[]>> = {
  'NodeClass.eks.amazonaws.com': [{ id: 'role', title: 'iamRole', paths: [['spec', 'role']] }],
  'AKSNodeClass.karpenter.azure.com': [
    { id: 'family', title: 'imageFamily', paths: [['spec', 'imageFamily']] },
    { id: 'pods', title: 'maxPods', paths: [['spec', 'maxPods']] },
    { id: 'disk', title: 'disk', paths: [['spec', 'osDiskSizeGB']] },
  ],
}

const columnsByKind: Readonly<Record<string, readonly NodeClassColumn<Key>[]>> = {
  ...otherColumns,
  ...servedNodeClassColumns,
}

interface Kind {
  readonly group: string
  readonly kind: string
  readonly plural: string
  readonly version: string
}

const KindList = ({ group, kind, plural, version }: Kind) => {
  const t = useT()
  const refOf = (object: AnyObject) => ({ group, kind, name: object.getName() })
  return (
    <ResourceListView
      id={`kerf-${plural}.${group}`}
      title={`${kind} (${group})`}
      resourceClass={nodeClassOf(group, kind, plural, version)}
      columns={[
        {
          id: 'name',
          label: t('name'),
          getValue: (object: AnyObject) => object.getName(),
          render: (object: AnyObject) => <ClassLink to={refOf(object)} />,
        },
        { id: 'where', label: t('cluster'), getValue: (object: AnyObject) => object.cluster },
        ...(columnsByKind[`${kind}.${group}`] ?? []).map((column) => ({
          id: column.id,
          label: t(column.title),
          getValue: (object: AnyObject) => columnText(column, object.jsonData),
        })),
        {
          id: 'status',
          label: t('status'),
          getValue: (object: AnyObject) => t(`status.${readyStatus(object.jsonData).code}`),
          render: (object: AnyObject) => <ReadyChip object={object.jsonData} />,
        },
        'age',
      ]}
    />
  )
}

const Lists = () => {
  const kinds = servedNodeClasses(useDiscovery())
  return (
    <Box>
      {kinds.map((kind) => (
        <KindList key={`${kind.group}/${kind.kind}`} {...kind} />
      ))}
    </Box>
  )
}

export const NodeClassesPage = () => (
  <Guard>
    <Lists />
  </Guard>
)
