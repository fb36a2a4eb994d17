import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  azureProviderId,
  claimVmName,
  nameInAksPool,
  parseClaimName,
  shortHash,
  vmNameOfProviderId,
} from './instance-names.ts'

test('60 hashes equal upstream’s', () => {
  const vectors = readFileSync(new URL('short-hash.vectors.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  expect(vectors).toHaveLength(60)
  expect(vectors.map((line) => line.split('\t')[0] ?? '').map((text) => `${text}\t${shortHash(text)}`)).toEqual(vectors)
})

test('a long name keeps its suffix and 34 characters', () => {
  const name = nameInAksPool('a-very-long-name-of-a-node-pool-in-germany-abc12')
  expect(name).toHaveLength(34)
  expect(name).toMatch(/^a-very-long-name-of-a-[0-9a-z]{6}-abc12$/)
  expect(nameInAksPool('x'.repeat(34))).toBe('x'.repeat(34))
  expect(nameInAksPool('x'.repeat(35))).toMatch(/^x{23}[0-9a-z]{6}x{5}$/)
  expect(nameInAksPool(`a-${'x'.repeat(40)}`)).toMatch(/^a-x{21}[0-9a-z]{6}x{5}$/)
})

test('the names of a VM and its NodeClaim', () => {
  expect(claimVmName('general-abc12')).toBe('aks-general-abc12')
  expect(parseClaimName('aks-general-abc12')).toBe('general-abc12')
  expect(parseClaimName('jumpbox')).toBeUndefined()
  const [one, other] = [`${'n'.repeat(58)}abc12`, `${'n'.repeat(57)}-abc12`].map(claimVmName)
  expect(one).toMatch(/^aks-n{48}[0-9a-z]{6}abc12$/)
  expect(other).toMatch(/^aks-n{47}[0-9a-z]{6}-abc12$/)
  expect(parseClaimName(one ?? '')).toBeUndefined()
})

test('in a provider ID only the first occurrence of the resource group is in lower case', () => {
  const id = (group: string) =>
    `/subscriptions/1/resourceGroups/${group}/providers/Microsoft.Compute/virtualMachines/aks-general-abc12`
  expect(azureProviderId(id('MC_Demo'))).toBe(`azure://${id('mc_demo')}`)
  expect(azureProviderId(id('MC_Demo').replace('resourceGroups', 'resourcegroups'))).toContain('MC_Demo')
  expect(vmNameOfProviderId(azureProviderId(id('MC_Demo')))).toBe('aks-general-abc12')
  expect(vmNameOfProviderId('other:///zone-a/i-1')).toBeUndefined()
  expect(vmNameOfProviderId(`${azureProviderId(id('a'))}/extensions/b`)).toBeUndefined()
})
