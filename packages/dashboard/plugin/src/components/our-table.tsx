import { ResourceListView } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box } from '@mui/material'
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { useHistory, useLocation } from 'react-router-dom'
import type { AnyObject, KubeObjectClass } from '../cluster/classes.ts'
import { isFound } from '../model/search.ts'
import { filterInAddress, filtersOfAddress, isWanted, sortInAddress, sortOfAddress } from '../model/table-address.ts'
import { fixedColumn, NARROW_GAPS } from './fixed-column.ts'
import { ShortText } from './short-text.tsx'
import { type ColumnFilter, isFiltered, TableFilters } from './table-filters.tsx'
import { type Breadth, isBroadEnough, useBreadth } from './use-breadth.ts'

type ListProps = Parameters<typeof ResourceListView>[0]

/** A column of `OurTable`. */
export interface OurColumn {
  readonly id: string
  readonly label: string
  /** The value by which the column is sorted and searched. It is also shown if the column renders nothing else. */
  readonly getValue: (object: AnyObject) => string | number | undefined
  readonly render?: (object: AnyObject) => ReactNode
  /**
   * Whether the column is as wide as its content, as for chips and numbers. Text columns share the remaining width,
   * and their texts are truncated.
   */
  readonly isNarrow?: boolean
  /** Whether the column contains the name of the row. It stays visible while the others scroll, and has the width of its content. */
  readonly isName?: boolean
  /** The minimum width of the window. In a narrower window, the column is hidden until the user shows it. */
  readonly needs?: Breadth
  /** Whether the column is hidden at first. The user can show it. */
  readonly isHidden?: boolean
  /**
   * Set if the column can be filtered. The filter's values do not depend on the language, because the address
   * contains them.
   */
  readonly filter?: ColumnFilter
}

interface Props {
  readonly id: string
  readonly title: string
  readonly resourceClass: KubeObjectClass
  readonly columns: readonly OurColumn[]
  /** Data that columns show in addition to the object. When it changes, the table computes the values of its rows again. */
  readonly changesWith?: unknown
}

const columnFor = (breadth: Breadth, column: OurColumn) => {
  const { id, label, getValue, isNarrow = false, isName = false, needs, isHidden = false } = column
  return {
    ...{ id, label, getValue },
    show: !isHidden && isBroadEnough(breadth, needs),
    // The other columns share the remaining width, each up to the width of its content.
    gridTemplate: isNarrow ? 'min-content' : isName ? 'minmax(min-content, max-content)' : 'minmax(min-content, auto)',
    render:
      column.render ??
      ((object: AnyObject) => {
        const text = String(getValue(object) ?? '')
        return isNarrow ? text : <ShortText text={text} />
      }),
    // Headlamp's filters are not in the address, so the plugin has its own.
    disableFiltering: true,
  }
}

/** Returns the key under which Headlamp stores a table's sorting. */
const storedAt = (id: string): string => `table_sorting.${id}`

/**
 * Hides Headlamp's filter button, because the table uses none of Headlamp's filters. The button is selected by its
 * icon, because its name depends on the language.
 */
const NO_FILTERS_OF_THE_HOST = {
  '& button:has([data-testid="FilterListIcon"], [data-testid="FilterListOffIcon"])': { display: 'none' },
}

/**
 * Headlamp's list of a resource kind, with search, page, filters and sorting in the address, so that a link shows another user the same
 * rows. Headlamp itself stores search and page in the address. It stores the sorting in the browser, and this component copies it to the
 * address. Headlamp does not store filters, so the plugin has its own.
 */
export const OurTable = (props: Props) => {
  const history = useHistory()
  const location = useLocation()
  const breadth = useBreadth()
  const { id, columns, changesWith } = props
  useState(() => {
    const sort = sortOfAddress(location.search, id)
    if (sort !== undefined) localStorage.setItem(storedAt(id), JSON.stringify([sort]))
  })
  const filtered = columns.filter(isFiltered)
  const names = filtered.map((column) => column.id)
  const filters = useMemo(() => filtersOfAddress(location.search, id, names), [location.search, id, names.join()])
  const byId = useRef(filtered)
  byId.current = filtered
  // Headlamp calls this function in two ways: with only an object, to decide whether the object has a row, and with an
  // object and a text, to decide whether the search matches. `changesWith` is a dependency although the function does
  // not read it: Headlamp caches the values of a row until this function is replaced, so columns that show other
  // objects would otherwise keep their first values.
  const isShown = useCallback(
    (object: AnyObject, text?: string): boolean =>
      text !== undefined
        ? isFound(object.jsonData, text)
        : isWanted(filters, (column) => byId.current.find((each) => each.id === column)?.filter.of(object) ?? []),
    [filters, changesWith],
  )
  const choose = (column: string, values: readonly string[]): void => {
    const { pathname, search } = history.location
    history.replace({ pathname, search: filterInAddress(search, id, column, values) })
  }
  const follow = (): void => {
    // Headlamp stores the new sorting only after it has rendered it.
    setTimeout(() => {
      const { pathname, search } = history.location
      const found = sortInAddress(search, id, localStorage.getItem(storedAt(id)))
      if (found !== search) history.replace({ pathname, search: found })
    }, 50)
  }
  return (
    <Box
      onClickCapture={follow}
      onKeyUpCapture={follow}
      sx={{ ...NO_FILTERS_OF_THE_HOST, ...NARROW_GAPS, ...fixedColumn(2) }}
    >
      <ResourceListView
        // Headlamp decides which columns are visible only on the first render of a table. A new key makes it render a
        // new table when the width changes.
        key={breadth}
        {...props}
        filterFunction={isShown}
        headerProps={
          filtered.length === 0
            ? {}
            : {
                actions: [
                  <TableFilters key="filters" {...props} columns={filtered} filters={filters} onChoose={choose} />,
                ],
              }
        }
        columns={[...columns.map((column) => columnFor(breadth, column)), 'age'] as ListProps['columns']}
        reflectInURL={id}
      />
    </Box>
  )
}
