import { ConditionsSection, DetailsGrid, EmptyContent, Link } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { useParams } from 'react-router-dom'
import { type AnyObject, NodeOverlay } from '../cluster/classes.ts'
import { useDiscovery } from '../cluster/discovery.ts'
import { FieldsSection, RequirementsSection } from '../components/facts.tsx'
import { Guard } from '../components/guard.tsx'
import { OurTable } from '../components/our-table.tsx'
import { ShortText } from '../components/short-text.tsx'
import { ReadyChip } from '../components/status-chip.tsx'
import { TimelineSection } from '../components/timeline-section.tsx'
import { useT } from '../locales/use-t.ts'
import { at, fieldsAt, listAt, numberAt, textAt } from '../model/read.ts'
import { servedKind } from '../model/served-kinds.ts'
import { readyStatus } from '../model/status.ts'

const requirementsText = (overlay: AnyObject): string =>
  listAt(overlay.jsonData, 'spec', 'requirements')
    .map((each) => `${textAt(each, 'key') ?? ''} ${textAt(each, 'operator') ?? ''} ${listAt(each, 'values').join(',')}`)
    .join('; ')
const priceText = (overlay: AnyObject): string =>
  textAt(overlay.jsonData, 'spec', 'price') ?? textAt(overlay.jsonData, 'spec', 'priceAdjustment') ?? ''

const List = () => {
  const t = useT()
  if (servedKind(useDiscovery(), 'karpenter.sh', 'NodeOverlay') === undefined) {
    return <EmptyContent>{t('notThere', { kind: 'CRD', name: 'nodeoverlays.karpenter.sh' })}</EmptyContent>
  }
  return (
    <OurTable
      id="kerf-nodeoverlays"
      title={t('nodeOverlays')}
      resourceClass={NodeOverlay}
      columns={[
        {
          id: 'name',
          label: t('name'),
          getValue: (overlay: AnyObject) => overlay.getName(),
          render: (overlay: AnyObject) => (
            <ShortText text={overlay.getName()}>
              <Link kubeObject={overlay} />
            </ShortText>
          ),
        },
        {
          id: 'status',
          label: t('status'),
          isNarrow: true,
          getValue: (overlay: AnyObject) => t(`status.${readyStatus(overlay.jsonData).code}`),
          render: (overlay: AnyObject) => <ReadyChip object={overlay.jsonData} />,
        },
        { id: 'requirements', label: t('requirements'), getValue: requirementsText },
        { id: 'price', label: t('price'), isNarrow: true, getValue: priceText },
        {
          id: 'capacity',
          label: t('limits'),
          needs: 'middle',
          getValue: (overlay: AnyObject) =>
            Object.entries(fieldsAt(overlay.jsonData, 'spec', 'capacity'))
              .map(([key, value]) => `${key}: ${String(value)}`)
              .join(', '),
        },
        {
          id: 'weight',
          label: t('weight'),
          isNarrow: true,
          needs: 'middle',
          getValue: (overlay: AnyObject) => numberAt(overlay.jsonData, 'spec', 'weight') ?? 0,
        },
      ]}
    />
  )
}

const Details = () => {
  const t = useT()
  const { name } = useParams<{ name: string }>()
  return (
    <DetailsGrid
      resourceType={NodeOverlay}
      name={name}
      extraInfo={(item: AnyObject | null) =>
        item === null
          ? []
          : [
              { name: t('status'), value: <ReadyChip object={item.jsonData} /> },
              { name: t('price'), value: textAt(item.jsonData, 'spec', 'price') ?? '–' },
              { name: t('priceAdjustment'), value: textAt(item.jsonData, 'spec', 'priceAdjustment') ?? '–' },
              { name: t('weight'), value: numberAt(item.jsonData, 'spec', 'weight') ?? 0 },
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
                section: <FieldsSection title={t('limits')} value={at(item.jsonData, 'spec', 'capacity')} />,
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
