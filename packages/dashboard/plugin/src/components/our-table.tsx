import { ResourceListView } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box } from '@mui/material'
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { useHistory, useLocation } from 'react-router-dom'
import type { AnyObject, KubeObjectClass } from '../cluster/classes.ts'
import { isFound } from '../model/search.ts'
import { filterInAddress, filtersOfAddress, isWanted, sortInAddress, sortOfAddress } from '../model/table-address.ts'
import { ShortText } from './short-text.tsx'
import { type ColumnFilter, isFiltered, TableFilters } from './table-filters.tsx'
import { type Breadth, isBroadEnough, useBreadth } from './use-breadth.ts'

type ListProps = Parameters<typeof ResourceListView>[0]

/** A column of an `OurTable`. */
export interface OurColumn {
  readonly id: string
  readonly label: string
  /** The value for sorting and searching. Also shown if the column has no other rendering. */
  readonly getValue: (object: AnyObject) => string | number | undefined
  readonly render?: (object: AnyObject) => ReactNode
  /**
   * Whether the column is as wide as its content, for chips and numbers. Text columns share the remaining width and are
   * truncated.
   */
  readonly isNarrow?: boolean
  /** Hidden in a narrower window until the user shows it. */
  readonly needs?: Breadth
  /** Shown only if the user selects it. */
  readonly isHidden?: boolean
  /** Set if the column can be filtered. The filter's value does not depend on the language, because it is part of the address. */
  readonly filter?: ColumnFilter
}

interface Props {
  readonly id: string
  readonly title: string
  readonly resourceClass: KubeObjectClass
  readonly columns: readonly OurColumn[]
  /** The data that columns show in addition to the object. If it changes, the table computes the values of its rows again. */
  readonly changesWith?: unknown
}

const columnFor = (breadth: Breadth, column: OurColumn) => {
  const { id, label, getValue, isNarrow = false, needs, isHidden = false } = column
  return {
    ...{ id, label, getValue },
    show: !isHidden && isBroadEnough(breadth, needs),
    gridTemplate: isNarrow ? 'min-content' : 'minmax(min-content, 1fr)',
    render:
      column.render ??
      ((object: AnyObject) => {
        const text = String(getValue(object) ?? '')
        return isNarrow ? text : <ShortText text={text} />
      }),
    // Headlamp does not put its filters into the address, so the plugin uses its own filters.
    disableFiltering: true,
  }
}

/** Returns the key under which Headlamp stores a table's sorting. */
const storedAt = (id: string): string => `table_sorting.${id}`

/** Hides Headlamp's filter button, which has no filters left. Selected by its icon, because its name depends on the language. */
const NO_FILTERS_OF_THE_HOST = {
  '& button:has([data-testid="FilterListIcon"], [data-testid="FilterListOffIcon"])': { display: 'none' },
}

/**
 * Headlamp's list of a kind with search, page, filters and sorting in the address, so that a link shows another user
 * the same. Headlamp does this for search and page. It stores the sorting in the browser, from where it is copied. It
 * does not store filters, so the plugin has its own.
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
  // Headlamp calls this with only an object to decide whether it has a row, and with a text to decide whether the
  // search matches. `changesWith` is not read here but must be a dependency. Headlamp caches the values of a row until
  // this function changes. Without the dependency, columns that show other objects would keep their first values.
  const isShown = useCallback(
    (object: AnyObject, text?: string): boolean =>
      text !== undefined
        ? isFound(object.jsonData, text)
        : isWanted(filters, (column) => byId.current.find((each) => each.id === column)?.filter.of(object) ?? ''),
    [filters, changesWith],
  )
  const choose = (column: string, values: readonly string[]): void => {
    const { pathname, search } = history.location
    history.replace({ pathname, search: filterInAddress(search, id, column, values) })
  }
  const follow = (): void => {
    // Headlamp stores the new sorting after rendering it.
    setTimeout(() => {
      const { pathname, search } = history.location
      const found = sortInAddress(search, id, localStorage.getItem(storedAt(id)))
      if (found !== search) history.replace({ pathname, search: found })
    }, 50)
  }
  return (
    <Box onClickCapture={follow} onKeyUpCapture={follow} sx={NO_FILTERS_OF_THE_HOST}>
      <ResourceListView
        // Headlamp reads the visible columns only on the first render of the table.
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
        columns={
          [
            ...columns.map((column) => columnFor(breadth, column)),
            ...(isBroadEnough(breadth, 'middle') ? ['age'] : []),
          ] as ListProps['columns']
        }
        reflectInURL={id}
      />
    </Box>
  )
}
