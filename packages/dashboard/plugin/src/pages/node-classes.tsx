import { Box } from '@mui/material'
import { type AnyObject, makeNodeClassObject } from '../cluster/classes.ts'
import { useDiscovery } from '../cluster/discovery.ts'
import { Guard } from '../components/guard.tsx'
import { ClassLink } from '../components/links.tsx'
import { OurTable } from '../components/our-table.tsx'
import { NameText } from '../components/short-text.tsx'
import { ReadyChip } from '../components/status-chip.tsx'
import { useLanguage, useT } from '../locales/use-t.ts'
import { columnText } from '../model/node-class-columns.ts'
import { displayedKind } from '../model/node-class-kinds.ts'
import { servedNodeClasses } from '../model/served-kinds.ts'
import { readyStatus } from '../model/status.ts'

interface Kind {
  readonly group: string
  readonly kind: string
  readonly plural: string
  readonly version: string
}

const KindList = ({ group, kind, plural, version }: Kind) => {
  const t = useT()
  const language = useLanguage()
  const columns = displayedKind(group, kind)?.columns ?? []
  const refOf = (object: AnyObject) => ({ group, kind, name: object.getName() })
  return (
    <OurTable
      id={`kerf-${plural}.${group}`}
      title={`${kind} (${group})`}
      resourceClass={makeNodeClassObject(group, kind, plural, version)}
      columns={[
        {
          id: 'name',
          label: t('name'),
          isName: true,
          getValue: (object: AnyObject) => object.getName(),
          render: (object: AnyObject) => (
            <NameText text={object.getName()}>
              <ClassLink to={refOf(object)} />
            </NameText>
          ),
        },
        {
          id: 'status',
          label: t('status'),
          isNarrow: true,
          getValue: (object: AnyObject) => t(`status.${readyStatus(object.jsonData).code}`),
          render: (object: AnyObject) => <ReadyChip object={object.jsonData} />,
        },
        { id: 'where', label: t('cluster'), getValue: (object: AnyObject) => object.cluster },
        ...columns.map((column, place) => ({
          id: column.id,
          label: column.title[language],
          getValue: (object: AnyObject) => columnText(column, object.jsonData),
          // The first columns are the most useful ones, so they are also shown in narrow windows. The page of a node
          // class shows the values of all columns.
          needs: place < 2 ? ('tight' as const) : place < 4 ? ('middle' as const) : ('wide' as const),
        })),
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
