import { expect, test } from 'vitest'
import { annotatedDeployment, capacityAnnotations } from '../testing/deployment.ts'
import { StableTypes } from './stable-types.ts'
import { machineTypes } from './types-of.ts'

const SIZE = { cpu: '2', memory: '4Gi' }
const typesWith = (sizeOfB: Readonly<Record<string, string>>) =>
  machineTypes(
    [
      annotatedDeployment(capacityAnnotations(SIZE), { name: 'a' }),
      annotatedDeployment(capacityAnnotations(sizeOfB), { name: 'b' }),
    ].map((deployment) => ({ deployment, mayLaunch: true, mayDrift: true })),
  )

test('equal types are the same objects, and a changed one does not affect the others', () => {
  const stable = new StableTypes()
  const first = stable.of('default', typesWith(SIZE))
  expect(stable.of('default', typesWith(SIZE))).toBe(first)
  const changed = stable.of('default', typesWith({ ...SIZE, cpu: '3' }))
  expect(changed).not.toBe(first)
  expect(changed.types[0]).toBe(first.types[0])
  expect(changed.types[1]).not.toBe(first.types[1])
  expect(stable.of('other', typesWith(SIZE)).types[0]).not.toBe(first.types[0])
})
