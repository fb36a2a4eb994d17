import { expect, test } from 'vitest'
import { compileAdmission, resourceAdmission } from '../admission.ts'
import { coreResources } from '../resources/index.ts'
import { gadgetSchema } from './gadget-schema.ts'
import { type ConformanceCase, checkCase, conformanceCases, gadgetCases, gadgetKind, libraryTarget } from './index.ts'

const resourceOf = ({ kind }: ConformanceCase) => {
  const resource = coreResources.find((each) => each.kind === kind)
  if (resource === undefined) throw new Error(`${kind.kind} is not a core kind`)
  return resource
}

const cases = conformanceCases()

test('there are many cases, including accepted and refused ones of every operation, and no duplicate names', () => {
  expect(cases.length).toBeGreaterThan(400)
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
  for (const operation of ['create', 'update', 'update-status']) {
    for (const accepted of [true, false]) {
      const some = cases.filter((each) => each.operation === operation && each.expect.accepted === accepted)
      expect(some.length, `${operation}, accepted: ${accepted}`).toBeGreaterThan(10)
    }
  }
})

test.each(cases)('$name', async (each) => {
  expect(await checkCase(libraryTarget(resourceAdmission(resourceOf(each))), each)).toBeUndefined()
})

/** The admission of a kind that the library does not define. */
const gadgetAdmission = compileAdmission({ kind: gadgetKind, schema: gadgetSchema })
test.each(gadgetCases())('$name', async (each) => {
  expect(await checkCase(libraryTarget(gadgetAdmission), each)).toBeUndefined()
})
