import { ConditionsSection, DetailsGrid, EmptyContent, Link } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { useParams } from 'react-router-dom'
import { type AnyObject, capacityBuffers } from '../cluster/classes.ts'
import { useDiscovery } from '../cluster/discovery.ts'
import { FieldsSection } from '../components/facts.tsx'
import { Guard } from '../components/guard.tsx'
import { OurTable } from '../components/our-table.tsx'
import { ShortText } from '../components/short-text.tsx'
import { ReadyChip } from '../components/status-chip.tsx'
import { TimelineSection } from '../components/timeline-section.tsx'
import { useT } from '../locales/use-t.ts'
import { at, numberAt, textAt } from '../model/read.ts'
import { servedKind } from '../model/served-kinds.ts'
import { readyStatus } from '../model/status.ts'

/**
 * The condition that is used in place of `Ready`, which buffers do not have. It shows whether the controller can reserve capacity for the
 * buffer.
 */
const ROOT = 'ReadyForProvisioning'

const workloadOf = ({ jsonData }: AnyObject): string => {
  const kind = textAt(jsonData, 'spec', 'scalableRef', 'kind')
  const template = textAt(jsonData, 'spec', 'podTemplateRef', 'name')
  if (kind !== undefined) return `${kind} ${textAt(jsonData, 'spec', 'scalableRef', 'name') ?? ''}`
  return template === undefined ? '' : `PodTemplate ${template}`
}
const replicasOf = ({ jsonData }: AnyObject): number =>
  numberAt(jsonData, 'status', 'replicas') ?? numberAt(jsonData, 'spec', 'replicas') ?? 0

const useBufferClass = () => {
  const served = servedKind(useDiscovery(), 'autoscaling.x-k8s.io', 'CapacityBuffer')
  if (served === undefined) return undefined
  return served.version === 'v1alpha1' ? capacityBuffers.v1alpha1 : capacityBuffers.v1beta1
}

const NotServed = () => {
  const t = useT()
  return <EmptyContent>{t('notThere', { kind: 'CRD', name: 'capacitybuffers.autoscaling.x-k8s.io' })}</EmptyContent>
}

const List = () => {
  const t = useT()
  const bufferClass = useBufferClass()
  if (bufferClass === undefined) return <NotServed />
  return (
    <OurTable
      id="kerf-capacitybuffers"
      title={t('capacityBuffers')}
      resourceClass={bufferClass}
      columns={[
        {
          id: 'name',
          label: t('name'),
          getValue: (buffer: AnyObject) => buffer.getName(),
          render: (buffer: AnyObject) => (
            <ShortText text={buffer.getName()}>
              <Link kubeObject={buffer} />
            </ShortText>
          ),
        },
        {
          id: 'status',
          label: t('status'),
          isNarrow: true,
          getValue: ({ jsonData }: AnyObject) => t(`status.${readyStatus(jsonData, ROOT).code}`),
          render: ({ jsonData }: AnyObject) => <ReadyChip object={jsonData} root={ROOT} />,
        },
        {
          id: 'namespace',
          label: t('namespace'),
          getValue: (buffer: AnyObject) => buffer.getNamespace(),
        },
        { id: 'workload', label: t('workload'), getValue: workloadOf },
        { id: 'replicas', label: t('replicas'), isNarrow: true, needs: 'middle', getValue: replicasOf },
        {
          id: 'percentage',
          label: t('percentage'),
          isNarrow: true,
          needs: 'wide',
          getValue: ({ jsonData }: AnyObject) => numberAt(jsonData, 'spec', 'percentage'),
        },
        {
          id: 'strategy',
          label: t('strategy'),
          needs: 'wide',
          getValue: ({ jsonData }: AnyObject) => textAt(jsonData, 'spec', 'provisioningStrategy'),
        },
      ]}
    />
  )
}

const Details = () => {
  const t = useT()
  const { name, namespace } = useParams<{ name: string; namespace: string }>()
  const bufferClass = useBufferClass()
  if (bufferClass === undefined) return <NotServed />
  return (
    <DetailsGrid
      resourceType={bufferClass}
      name={name}
      namespace={namespace}
      extraInfo={(item: AnyObject | null) =>
        item === null
          ? []
          : [
              { name: t('status'), value: <ReadyChip object={item.jsonData} root={ROOT} /> },
              { name: t('workload'), value: workloadOf(item) },
              { name: t('replicas'), value: replicasOf(item) },
            ]
      }
      extraSections={(item: AnyObject | null) =>
        item === null
          ? []
          : [
              { id: 'kerf.spec', section: <FieldsSection title={t('spec')} value={at(item.jsonData, 'spec')} /> },
              { id: 'kerf.conditions', section: <ConditionsSection resource={item.jsonData} /> },
              { id: 'kerf.timeline', section: <TimelineSection object={item} /> },
            ]
      }
    />
  )
}

export const CapacityBuffersPage = () => (
  <Guard>
    <List />
  </Guard>
)
export const CapacityBufferPage = () => (
  <Guard>
    <Details />
  </Guard>
)
