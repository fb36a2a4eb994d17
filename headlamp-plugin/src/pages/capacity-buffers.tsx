import {
  ConditionsSection,
  DetailsGrid,
  EmptyContent,
  ResourceListView,
} from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { useParams } from 'react-router-dom'
import { type AnyObject, capacityBuffers } from '../cluster/classes.ts'
import { servedKind, useDiscovery } from '../cluster/discovery.ts'
import { at, numberAt, textAt } from '../model/read.ts'
import { readyStatus } from '../model/status.ts'
import { FieldsSection } from '../parts/facts.tsx'
import { Guard } from '../parts/guard.tsx'
import { ReadyChip } from '../parts/status-chip.tsx'
import { TimelineSection } from '../parts/timeline-section.tsx'
import { useWords } from '../words/use-words.ts'

/** A buffer has no `Ready`: it is fit when the controller can provision for it. */
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
  const say = useWords()
  return <EmptyContent>{say('notThere', { kind: 'CRD', name: 'capacitybuffers.autoscaling.x-k8s.io' })}</EmptyContent>
}

const List = () => {
  const say = useWords()
  const bufferClass = useBufferClass()
  if (bufferClass === undefined) return <NotServed />
  return (
    <ResourceListView
      id="kerf-capacitybuffers"
      title={say('capacityBuffers')}
      resourceClass={bufferClass}
      columns={[
        'name',
        'namespace',
        { id: 'workload', label: say('workload'), getValue: workloadOf },
        { id: 'replicas', label: say('replicas'), getValue: replicasOf },
        {
          id: 'percentage',
          label: say('percentage'),
          getValue: ({ jsonData }: AnyObject) => numberAt(jsonData, 'spec', 'percentage'),
        },
        {
          id: 'strategy',
          label: say('strategy'),
          getValue: ({ jsonData }: AnyObject) => textAt(jsonData, 'spec', 'provisioningStrategy'),
        },
        {
          id: 'status',
          label: say('status'),
          getValue: ({ jsonData }: AnyObject) => say(`status.${readyStatus(jsonData, ROOT).code}`),
          render: ({ jsonData }: AnyObject) => <ReadyChip object={jsonData} root={ROOT} />,
        },
        'age',
      ]}
    />
  )
}

const Details = () => {
  const say = useWords()
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
              { name: say('status'), value: <ReadyChip object={item.jsonData} root={ROOT} /> },
              { name: say('workload'), value: workloadOf(item) },
              { name: say('replicas'), value: replicasOf(item) },
            ]
      }
      extraSections={(item: AnyObject | null) =>
        item === null
          ? []
          : [
              { id: 'kerf.spec', section: <FieldsSection title={say('spec')} value={at(item.jsonData, 'spec')} /> },
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
