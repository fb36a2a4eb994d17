import { Table } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import type { ReactNode } from 'react'
import type { Translate } from '../locales/translate.ts'
import { useT } from '../locales/use-t.ts'
import type { DecisionRow } from '../model/decisions.ts'
import { ClaimLink, NodeLink, PodLink, PoolLink } from './links.tsx'
import { Age } from './show-time.tsx'

const Subject = ({ row }: { readonly row: DecisionRow }): ReactNode => {
  switch (row.kind) {
    case 'Pod':
      return <PodLink name={row.name} namespace={row.namespace} />
    case 'Node':
      return <NodeLink name={row.name} />
    case 'NodeClaim':
      return <ClaimLink name={row.name} />
    case 'NodePool':
      return <PoolLink name={row.name} />
    default:
      return row.name
  }
}

const kindColumn = (t: Translate) => ({
  id: 'kind',
  header: t('kind'),
  accessorFn: ({ kind }: DecisionRow) => kind,
  filterVariant: 'multi-select' as const,
  gridTemplate: 'min-content',
})

/** Decisions with search, filters by reason and kind, and sorting: what Headlamp's tables have. */
export const DecisionsTable = ({
  rows,
  about,
}: {
  readonly rows: readonly DecisionRow[]
  readonly about: DecisionRow['about']
}) => {
  const t = useT()
  return (
    <Table<DecisionRow>
      emptyMessage={t('noDecisions')}
      rowsPerPage={[15, 50, 100]}
      data={rows.filter((row) => row.about === about) as DecisionRow[]}
      getRowId={({ id }) => id}
      columns={[
        ...(about === 'node' ? [kindColumn(t)] : []),
        {
          id: 'reason',
          header: t('reason'),
          accessorFn: ({ reason, count }) => (count > 1 ? `${reason} (${count})` : reason),
          filterVariant: 'multi-select',
          gridTemplate: 'auto',
        },
        {
          id: 'type',
          header: t('type'),
          accessorFn: ({ type }) => type,
          filterVariant: 'multi-select',
          gridTemplate: 'min-content',
        },
        { id: 'from', header: t('from'), accessorFn: ({ from }) => from, gridTemplate: 'min-content' },
        {
          id: 'subject',
          header: t(about === 'pod' ? 'pod' : 'node'),
          accessorFn: ({ namespace, name }) => (namespace === '' ? name : `${namespace}/${name}`),
          Cell: ({ row: { original } }) => <Subject row={original} />,
          gridTemplate: 'auto',
        },
        { id: 'message', header: t('message'), accessorFn: ({ message }) => message, gridTemplate: 3 },
        {
          id: 'age',
          header: t('age'),
          accessorFn: ({ time }) => -time,
          Cell: ({ row: { original } }) => <Age of={original.time} />,
          gridTemplate: 'min-content',
          enableColumnFilter: false,
        },
      ]}
    />
  )
}
