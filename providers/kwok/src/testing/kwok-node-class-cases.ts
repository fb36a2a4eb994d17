import { accepted, CASE_NAME, type ConformanceCase, caseTable, conditionCases } from '@kerf/apis/conformance'
import { kwokNodeClassResource } from '../node-class/kwok-node-class.ts'

/** Returns objects that the CRD must accept or refuse. */
export const kwokNodeClassCases = (): readonly ConformanceCase[] => {
  const table = caseTable(kwokNodeClassResource.kind, {
    apiVersion: 'karpenter.kwok.sh/v1alpha1',
    kind: 'KWOKNodeClass',
    metadata: { name: CASE_NAME },
    spec: {},
  })
  const ready = [
    { type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '2024-01-01T01:01:01Z' },
  ]
  table.accepts('ready from the start', {}, { 'status.conditions': ready })
  table.accepts('no spec', { spec: undefined }, { spec: undefined, 'status.conditions': ready })
  table.accepts(
    'a status given on creation is not taken',
    { status: { conditions: [] } },
    { 'status.conditions': ready },
  )
  table.acceptsEach('spec/nodeRegistrationDelay', ['0s', '5s', '1m30s', '1h'])
  table.refusesEach(
    'spec/nodeRegistrationDelay',
    ['', '5', '500ms', '1.5s', '-1s', 'Never', 5],
    'spec.nodeRegistrationDelay',
  )
  table.update(
    'the delay changes',
    { 'spec/nodeRegistrationDelay': '5s' },
    { 'spec/nodeRegistrationDelay': '1m' },
    accepted(),
  )
  const down = [
    { type: 'Ready', status: 'False', reason: 'Down', message: 'no', lastTransitionTime: '2024-05-06T07:08:09Z' },
  ]
  table.updateStatus(
    'not ready any more',
    {},
    { status: { conditions: down } },
    accepted({ 'status.conditions': down }),
  )
  table.updateStatus('no conditions', {}, { status: {} }, accepted({ status: {} }))
  table.updateStatus(
    'a status taken away comes back',
    {},
    { status: undefined },
    accepted({ 'status.conditions': ready }),
  )
  conditionCases(table, false)
  return table.cases
}
