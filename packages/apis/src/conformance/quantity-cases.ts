import type { Table } from './table.ts'

const GOOD = [
  0,
  1,
  100,
  '0',
  '1',
  '1.5',
  '.5',
  '5.',
  '+1',
  '-1',
  '100m',
  '1k',
  '1M',
  '1G',
  '1T',
  '1P',
  '1E',
  '1n',
  '1u',
  '4Ki',
  '4Mi',
  '4Gi',
  '4Ti',
  '4Pi',
  '4Ei',
  '1e3',
  '1E3',
  '1e-3',
  '1e+3',
  '1e1.5',
]
const BAD = ['', ' 1', '1 ', '1K', '1mi', '1gi', '1GiB', 'one', '1,5', '1.2.3', '--1', '1e', '0x10', true, 1.5, {}, []]

/** Adds cases about a map of quantities. */
export const quantityCases = (table: Table, path: string, name = 'example.com/thing'): void => {
  const field = `${path.replaceAll('/', '.')}.${name}`
  for (const value of GOOD) table.accepts(`${path} of ${JSON.stringify(value)}`, { [path]: { [name]: value } })
  for (const value of BAD) table.refuses(`${path} of ${JSON.stringify(value)}`, { [path]: { [name]: value } }, field)
  table.accepts(`${path} that is empty`, { [path]: {} })
  table.refuses(`${path} that is a list`, { [path]: [] }, path.replaceAll('/', '.'))
}
