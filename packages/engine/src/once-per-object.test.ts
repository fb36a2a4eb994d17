import { expect, test } from 'vitest'
import { oncePerObject } from './once-per-object.ts'

test('reads each object once, even if the result is undefined', () => {
  const asked: object[] = []
  const nameOf = oncePerObject((object: { readonly name?: string }) => {
    asked.push(object)
    return object.name
  })
  const named: { readonly name?: string } = { name: 'a' }
  const unnamed: { readonly name?: string } = {}
  for (const object of [named, unnamed, named, unnamed]) expect(nameOf(object)).toBe(object.name)
  expect(asked).toEqual([named, unnamed])
})

test('reads an object again after an error', () => {
  let isBroken = true
  const read = oncePerObject(() => {
    if (isBroken) throw new Error('broken')
    return 1
  })
  const object = {}
  expect(() => read(object)).toThrow('broken')
  isBroken = false
  expect(read(object)).toBe(1)
})
