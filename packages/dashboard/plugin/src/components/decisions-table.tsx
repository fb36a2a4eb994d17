import { ownValue } from '@kerf/apis'
import { Table } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box } from '@mui/material'
import type { ReactNode } from 'react'
import { eventText } from '../locales/reasons.ts'
import type { Translate } from '../locales/translate.ts'
import { useLanguage, useT } from '../locales/use-t.ts'
import type { DecisionRow } from '../model/decisions.ts'
import { fixedColumn, NARROW_GAPS } from './fixed-column.ts'
import { ClaimLink, NodeLink, PodLink, PoolLink } from './links.tsx'
import { NameText, ShortText, TwoLines } from './short-text.tsx'
import { Age } from './show-time.tsx'
import { type Breadth, isBroadEnough, useBreadth } from './use-breadth.ts'

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

type Columns = Parameters<typeof Table<DecisionRow>>[0]['columns']

const kindColumn = (t: Translate): Columns[number] => ({
  id: 'kind',
  header: t('kind'),
  accessorFn: ({ kind }) => kind,
  filterVariant: 'multi-select',
  gridTemplate: 'min-content',
})

/** The minimum window width for a column. Columns that are not listed are always shown. */
const NEEDS: Readonly<Record<string, Breadth>> = { kind: 'middle' }

/** Shows decisions in one of Headlamp's tables, with search, sorting, and filters by reason and kind. */
export const DecisionsTable = ({
  rows,
  about,
  isLoading = false,
}: {
  readonly rows: readonly DecisionRow[]
  readonly about: DecisionRow['about']
  readonly isLoading?: boolean
}) => {
  const t = useT()
  const language = useLanguage()
  const breadth = useBreadth()
  const Name = isBroadEnough(breadth, 'wide') ? NameText : ShortText
  const all: Columns = [
    ...(about === 'node' ? [kindColumn(t)] : []),
    {
      id: 'reason',
      header: t('reason'),
      accessorFn: ({ reason, count }) => (count > 1 ? `${reason} (${count})` : reason),
      Cell: ({ cell }) => <Name text={String(cell.getValue())} />,
      filterVariant: 'multi-select',
      gridTemplate: 'minmax(min-content, 1fr)',
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
      Cell: ({ row: { original } }) => (
        <Name text={original.namespace === '' ? original.name : `${original.namespace}/${original.name}`}>
          <Subject row={original} />
        </Name>
      ),
      gridTemplate: 'minmax(min-content, 1.5fr)',
    },
    {
      id: 'message',
      header: t('message'),
      accessorFn: (row) => eventText(row, language),
      Cell: ({ cell }) => <TwoLines text={String(cell.getValue())} />,
      gridTemplate: 'minmax(12ch, 3fr)',
    },
    {
      id: 'age',
      header: t('age'),
      accessorFn: ({ time }) => -time,
      Cell: ({ row: { original } }) => <Age of={original.time} />,
      gridTemplate: 'min-content',
      enableColumnFilter: false,
    },
  ]
  const columns = all.filter(({ id }) => isBroadEnough(breadth, ownValue(NEEDS, id ?? '')))
  return (
    <Box sx={{ ...NARROW_GAPS, ...fixedColumn(columns.findIndex(({ id }) => id === 'subject') + 1) }}>
      <Table<DecisionRow>
        emptyMessage={t(isLoading ? 'loading' : 'noDecisions')}
        rowsPerPage={[15, 50, 100]}
        data={rows.filter((row) => row.about === about) as DecisionRow[]}
        getRowId={({ id }) => id}
        columns={columns}
      />
    </Box>
  )
}
