import { accepted, long, refused, type Table } from './table.ts'

const condition = (changes: object = {}): object => ({
  type: 'Ready',
  status: 'True',
  reason: 'Ready',
  message: '',
  lastTransitionTime: '2024-05-06T07:08:09Z',
  ...changes,
})
const without = (name: string): object =>
  Object.fromEntries(Object.entries(condition()).filter(([key]) => key !== name))

/**
 * Adds cases about `status.conditions`. `relaxed` is for NodeClaim, whose conditions may lack a reason and a message. `list` is `atomic` if
 * the schema allows several conditions of the same type.
 */
export const conditionCases = (table: Table, relaxed: boolean, list: 'map' | 'atomic' = 'map'): void => {
  const good = (name: string, ...conditions: readonly unknown[]): void =>
    table.updateStatus(`conditions: ${name}`, {}, { 'status/conditions': conditions }, accepted())
  const bad = (name: string, fields: readonly string[], ...conditions: readonly unknown[]): void =>
    table.updateStatus(`conditions: ${name}`, {}, { 'status/conditions': conditions }, refused(...fields))

  good('none')
  good('a whole one', condition())
  good('with a generation', condition({ observedGeneration: 3 }))
  good('two types', condition(), condition({ type: 'Launched' }))
  good('a type with a domain', condition({ type: 'example.com/Thing' }))
  for (const status of ['True', 'False', 'Unknown']) good(`status ${status}`, condition({ status }))
  good('a fraction of a second', condition({ lastTransitionTime: '2024-05-06T07:08:09.123456Z' }))
  good('a time zone', condition({ lastTransitionTime: '2024-05-06T07:08:09+02:00' }))

  const twice = [condition(), condition({ status: 'False' })]
  if (list === 'map') bad('the same type twice', ['status.conditions[1]'], ...twice)
  else good('the same type twice', ...twice)
  for (const status of ['true', '', 'Maybe', true])
    bad(`status ${JSON.stringify(status)}`, ['status.conditions[0].status'], condition({ status }))
  for (const type of ['', 'a b', '-a', 'a/b/c', long(317)]) {
    bad(`type ${JSON.stringify(type.slice(0, 20))}`, ['status.conditions[0].type'], condition({ type }))
  }
  for (const name of ['type', 'status', 'lastTransitionTime'])
    bad(`without ${name}`, [`status.conditions[0].${name}`], without(name))
  bad('a negative generation', ['status.conditions[0].observedGeneration'], condition({ observedGeneration: -1 }))
  bad('a time that is none', ['status.conditions[0].lastTransitionTime'], condition({ lastTransitionTime: 'now' }))
  bad('a reason with a blank', ['status.conditions[0].reason'], condition({ reason: 'not ready' }))
  bad('a reason that begins with a digit', ['status.conditions[0].reason'], condition({ reason: '1st' }))
  bad('a reason of 1025 characters', ['status.conditions[0].reason'], condition({ reason: long(1025) }))
  bad('a message of 32769 characters', ['status.conditions[0].message'], condition({ message: long(32769) }))
  good('a message of 32768 characters', condition({ message: long(32768) }))
  if (relaxed) {
    good('without reason', without('reason'))
    good('without message', without('message'))
    good('an empty reason', condition({ reason: '' }))
  } else {
    bad('without reason', ['status.conditions[0].reason'], without('reason'))
    bad('without message', ['status.conditions[0].message'], without('message'))
    bad('an empty reason', ['status.conditions[0].reason'], condition({ reason: '' }))
  }
}
