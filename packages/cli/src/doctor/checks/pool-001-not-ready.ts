import { findCondition, type KubeObject } from '@kerf/apis'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

const objectConditions = (object: KubeObject): Parameters<typeof findCondition>[0] =>
  object as Parameters<typeof findCondition>[0]

const notReady = (object: KubeObject): string | undefined => {
  const ready = findCondition(objectConditions(object), 'Ready')
  if (ready === undefined || ready.status === 'True') return undefined
  const said = [ready.reason, ready.message].filter((text) => text !== undefined && text !== '').join(': ')
  return `${objectName(object)} is not ready${said === '' ? '' : ` (${said})`}`
}

export const pool001: Check = {
  id: 'POOL-001',
  group: 'pools',
  severity: 'critical',
  title: 'NodePools and node classes that are not ready',
  why: 'A NodePool that is not ready launches nothing, and its pods stay pending.',
  reads: ['NodePool'],
  examine({ nodePools, objects }) {
    const refs = new Set(
      nodePools.map(({ spec }) => `${spec.template.spec.nodeClassRef.kind} ${spec.template.spec.nodeClassRef.name}`),
    )
    const classes = [...new Set([...refs].map((ref) => ref.split(' ')[0] ?? ''))]
      .flatMap((kind) => objects.named(kind))
      .filter(({ kind, metadata }) => refs.has(`${kind} ${metadata.name}`))
    const found = [...nodePools, ...classes].flatMap((object) => {
      const text = notReady(object)
      return text === undefined ? [] : [{ object, text }]
    })
    return foundAny(
      found.map(({ object }) => objectName(object)),
      {
        seen: found.map(({ text }) => text).join('; '),
        remedy: found
          .map(({ object }) => `kubectl describe ${object.kind.toLowerCase()} ${object.metadata.name}`)
          .join('; '),
      },
      'all NodePools and their node classes are ready',
    )
  },
}
