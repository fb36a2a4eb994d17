import { expect, test } from 'vitest'
import { readPages } from './pages.ts'

const pages: Readonly<Record<string, { readonly items: readonly number[]; readonly next: string | undefined }>> = {
  '': { items: [1, 2], next: 'b' },
  b: { items: [], next: 'c' },
  c: { items: [3], next: undefined },
}

test('all pages are read, including empty ones', async () => {
  expect(await readPages<number, string>(async (next = '') => pages[next] ?? { items: [], next: undefined })).toEqual([
    1, 2, 3,
  ])
})

test('if a page fails, the list fails; if a page repeats, the list ends with an error', async () => {
  const failing = readPages<number, string>(async (next = '') => {
    if (next === 'c') throw new Error('no such page')
    return pages[next] ?? { items: [], next: undefined }
  })
  await expect(failing).rejects.toThrow('no such page')
  await expect(readPages(async () => ({ items: [1], next: 'same' }))).rejects.toThrow('page same is repeated')
})
