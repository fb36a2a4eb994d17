import { Box, Checkbox, FormControl, InputLabel, MenuItem, Select } from '@mui/material'
import type { AnyObject, KubeObjectClass } from '../cluster/classes.ts'
import type { Filters } from '../model/table-address.ts'

/** How a column is filtered. */
export interface ColumnFilter {
  /** Returns the values of an object. They do not depend on the language, because the address contains them. */
  readonly of: (object: AnyObject) => readonly string[]
  /** Returns the text to show for a value. If absent, the value is shown. */
  readonly toText?: (value: string) => string
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
  /** The resource kind must be cluster-scoped: for namespaced kinds, Headlamp adds a filter for the namespace. */
  readonly resourceClass: KubeObjectClass
  readonly columns: readonly FilteredColumn<Column>[]
  readonly filters: Filters
  readonly onChoose: (column: string, values: readonly string[]) => void
}

const NONE: readonly string[] = []

/**
 * Returns the values to choose from, with their texts. They include selected values that no object has at present.
 */
const choicesOf = (
  { of, toText = (value) => value }: ColumnFilter,
  items: readonly AnyObject[],
  chosen: readonly string[],
): readonly (readonly [value: string, text: string])[] => {
  const texts = new Map([...chosen, ...items.flatMap(of)].map((value) => [value, toText(value) || '–']))
  return [...texts].sort(([, a], [, b]) => (a < b ? -1 : 1))
}

/**
 * Shows a menu for each filtered column. It offers the values that objects have, and the values that are already
 * selected.
 */
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
              // Screen readers announce the label and the selected values.
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
