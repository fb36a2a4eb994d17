import { ResourceListView } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box } from '@mui/material'
import { type AnyObject, nodeClassOf } from '../cluster/classes.ts'
import { servedNodeClasses, useDiscovery } from '../cluster/discovery.ts'
import type { Key } from '../locales/translate.ts'
import { useT } from '../locales/use-t.ts'
import { listAt, textAt } from '../model/read.ts'
import { readyStatus } from '../model/status.ts'
import { Guard } from '../parts/guard.tsx'
import { ClassLink } from '../parts/links.tsx'
import { ReadyChip } from '../parts/status-chip.tsx'

interface Column {
  readonly id: string
  readonly textKey: Key
  value(object: unknown): string
}

const text =
  (...path: readonly string[]) =>
  (object: unknown): string =>
    textAt(object, ...path) ?? ''

/** What people look for first in each provider's classes. Kinds not listed have the common columns only. */
const columnsOf: Readonly<Record<string, readonly Column[]>> = {
  EC2NodeClass: [
    {
      id: 'profile',
      textKey: 'instanceProfile',
      value: (object) => textAt(object, 'status', 'instanceProfile') ?? textAt(object, 'spec', 'instanceProfile') ?? '',
    },
    { id: 'role', textKey: 'iamRole', value: text('spec', 'role') },
    {
      id: 'amis',
      textKey: 'amis',
      value: (object) =>
        listAt(object, 'status', 'amis')
          .map((ami) => textAt(ami, 'name') ?? textAt(ami, 'id') ?? '')
          .join(', '),
    },
  ],
  NodeClass: [{ id: 'role', textKey: 'iamRole', value: text('spec', 'role') }],
  AKSNodeClass: [
    { id: 'family', textKey: 'imageFamily', value: text('spec', 'imageFamily') },
    { id: 'pods', textKey: 'maxPods', value: text('spec', 'maxPods') },
    { id: 'disk', textKey: 'disk', value: text('spec', 'osDiskSizeGB') },
  ],
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
        ...(columnsOf[kind] ?? []).map(({ id, textKey, value }) => ({
          id,
          label: t(textKey),
          getValue: (object: AnyObject) => value(object.jsonData),
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
