import { Box, Checkbox, FormControl, InputLabel, MenuItem, Select } from '@mui/material'
import type { AnyObject, KubeObjectClass } from '../cluster/classes.ts'
import type { Filters } from '../model/table-address.ts'

/** How a column is filtered. */
export interface ColumnFilter {
  /** The same in every language: it stands in the address. */
  readonly of: (object: AnyObject) => string
  /** How the value of an object is shown, where it is not shown as it is. */
  readonly toText?: (object: AnyObject) => string
}

interface Column {
  readonly id: string
  readonly label: string
  readonly filter?: ColumnFilter
}
type FilteredColumn<C extends Column> = C & { readonly filter: ColumnFilter }

export const isFiltered = <C extends Column>(column: C): column is FilteredColumn<C> => column.filter !== undefined

interface Props {
  readonly id: string
  /** Of a kind without a namespace: for the others Headlamp's own choice of namespaces is one more filter. */
  readonly resourceClass: KubeObjectClass
  readonly columns: readonly FilteredColumn<Column>[]
  readonly filters: Filters
  readonly onChoose: (column: string, values: readonly string[]) => void
}

const NONE: readonly string[] = []

/** What there is to choose from, and how each is shown; what is chosen already is there though no object has it now. */
const choicesOf = (
  { of, toText = of }: ColumnFilter,
  items: readonly AnyObject[],
  chosen: readonly string[],
): readonly (readonly [value: string, text: string])[] => {
  const texts = new Map(chosen.map((value) => [value, value || '–']))
  for (const item of items) texts.set(of(item), toText(item) || '–')
  return [...texts].sort(([, a], [, b]) => (a < b ? -1 : 1))
}

/** A choice of values for each column that is filtered: those that are there, and those that are chosen already. */
export const TableFilters = ({ id, resourceClass, columns, filters, onChoose }: Props) => {
  const { items } = resourceClass.useList() as { readonly items: readonly AnyObject[] | null }
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      {columns.map(({ id: column, label, filter }) => {
        const chosen = filters.get(column) ?? NONE
        const choices = choicesOf(filter, items ?? [], chosen)
        const text = choices.flatMap(([value, shown]) => (chosen.includes(value) ? [shown] : [])).join(', ')
        const labelId = `${id}-${column}-label`
        return (
          <FormControl
            key={column}
            size="small"
            sx={{ width: '9.5rem' }}
            title={text === '' ? label : `${label}: ${text}`}
          >
            <InputLabel id={labelId}>{label}</InputLabel>
            <Select
              multiple
              label={label}
              labelId={labelId}
              // Named by its label and what is chosen.
              SelectDisplayProps={{ id: `${id}-${column}` }}
              value={[...chosen]}
              renderValue={() => text}
              onChange={({ target }) => onChoose(column, [target.value].flat())}
            >
              {choices.map(([value, shown]) => (
                <MenuItem key={value} value={value} dense>
                  <Checkbox size="small" checked={chosen.includes(value)} tabIndex={-1} disableRipple />
                  {shown}
                </MenuItem>
              ))}
            </Select>
          </FormControl>
        )
      })}
    </Box>
  )
}
