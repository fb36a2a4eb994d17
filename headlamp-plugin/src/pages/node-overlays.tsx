import {
  ConditionsSection,
  DetailsGrid,
  EmptyContent,
  ResourceListView,
} from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { useParams } from 'react-router-dom'
import { type AnyObject, NodeOverlay } from '../cluster/classes.ts'
import { servedKind, useDiscovery } from '../cluster/discovery.ts'
import { at, fieldsAt, listAt, numberAt, textAt } from '../model/read.ts'
import { readyStatus } from '../model/status.ts'
import { FieldsSection, RequirementsSection } from '../parts/facts.tsx'
import { Guard } from '../parts/guard.tsx'
import { ReadyChip } from '../parts/status-chip.tsx'
import { TimelineSection } from '../parts/timeline-section.tsx'
import { useWords } from '../words/use-words.ts'

const requirementsText = (overlay: AnyObject): string =>
  listAt(overlay.jsonData, 'spec', 'requirements')
    .map((each) => `${textAt(each, 'key') ?? ''} ${textAt(each, 'operator') ?? ''} ${listAt(each, 'values').join(',')}`)
    .join('; ')
const priceText = (overlay: AnyObject): string =>
  textAt(overlay.jsonData, 'spec', 'price') ?? textAt(overlay.jsonData, 'spec', 'priceAdjustment') ?? ''

const List = () => {
  const say = useWords()
  if (servedKind(useDiscovery(), 'karpenter.sh', 'NodeOverlay') === undefined) {
    return <EmptyContent>{say('notThere', { kind: 'CRD', name: 'nodeoverlays.karpenter.sh' })}</EmptyContent>
  }
  return (
    <ResourceListView
      id="kerf-nodeoverlays"
      title={say('nodeOverlays')}
      resourceClass={NodeOverlay}
      columns={[
        'name',
        { id: 'requirements', label: say('requirements'), getValue: requirementsText },
        { id: 'price', label: say('price'), getValue: priceText },
        {
          id: 'capacity',
          label: say('limits'),
          getValue: (overlay: AnyObject) =>
            Object.entries(fieldsAt(overlay.jsonData, 'spec', 'capacity'))
              .map(([key, value]) => `${key}: ${String(value)}`)
              .join(', '),
        },
        {
          id: 'weight',
          label: say('weight'),
          getValue: (overlay: AnyObject) => numberAt(overlay.jsonData, 'spec', 'weight') ?? 0,
        },
        {
          id: 'status',
          label: say('status'),
          getValue: (overlay: AnyObject) => say(`status.${readyStatus(overlay.jsonData).code}`),
          render: (overlay: AnyObject) => <ReadyChip object={overlay.jsonData} />,
        },
        'age',
      ]}
    />
  )
}

const Details = () => {
  const say = useWords()
  const { name } = useParams<{ name: string }>()
  return (
    <DetailsGrid
      resourceType={NodeOverlay}
      name={name}
      extraInfo={(item: AnyObject | null) =>
        item === null
          ? []
          : [
              { name: say('status'), value: <ReadyChip object={item.jsonData} /> },
              { name: say('price'), value: textAt(item.jsonData, 'spec', 'price') ?? '–' },
              { name: say('priceAdjustment'), value: textAt(item.jsonData, 'spec', 'priceAdjustment') ?? '–' },
              { name: say('weight'), value: numberAt(item.jsonData, 'spec', 'weight') ?? 0 },
            ]
      }
      extraSections={(item: AnyObject | null) =>
        item === null
          ? []
          : [
              {
                id: 'kerf.requirements',
                section: <RequirementsSection requirements={listAt(item.jsonData, 'spec', 'requirements')} />,
              },
              {
                id: 'kerf.capacity',
                section: <FieldsSection title={say('limits')} value={at(item.jsonData, 'spec', 'capacity')} />,
              },
              { id: 'kerf.conditions', section: <ConditionsSection resource={item.jsonData} /> },
              { id: 'kerf.timeline', section: <TimelineSection object={item} /> },
            ]
      }
    />
  )
}

export const NodeOverlaysPage = () => (
  <Guard>
    <List />
  </Guard>
)
export const NodeOverlayPage = () => (
  <Guard>
    <Details />
  </Guard>
)
