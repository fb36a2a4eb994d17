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
  /** What is sorted and searched by; shown, too, where nothing else is. */
  readonly getValue: (object: AnyObject) => string | number | undefined
  readonly render?: (object: AnyObject) => ReactNode
  /** As wide as what it shows, as a chip or a number; a text shares the room that is left, and ends in dots. */
  readonly isNarrow?: boolean
  /** Hidden in a window that has less room, until somebody shows it. */
  readonly needs?: Breadth
  /** Shown only when somebody asks for it. */
  readonly isHidden?: boolean
  /** What one may filter by, when it is a column to filter by: a value that does not change with the language, as it is in the address. */
  readonly filter?: ColumnFilter
}

interface Props {
  readonly id: string
  readonly title: string
  readonly resourceClass: KubeObjectClass
  readonly columns: readonly OurColumn[]
  /** What columns show besides the object itself. When it is another one, the table works out the values of its rows anew. */
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
    // Headlamp keeps what is typed there to itself; what is filtered here is in the address.
    disableFiltering: true,
  }
}

/** Where Headlamp keeps how a table is sorted. */
const storedAt = (id: string): string => `table_sorting.${id}`

/** Headlamp's button for its own filters, of which none is left: by its icon, as its name changes with the language. */
const NO_FILTERS_OF_THE_HOST = {
  '& button:has([data-testid="FilterListIcon"], [data-testid="FilterListOffIcon"])': { display: 'none' },
}

/**
 * Headlamp's list of a kind, with its search, page, filters and sorting in the address: a link shows another person the same.
 * Headlamp does so with search and page, keeps the sorting in the browser, from where it is taken, and its filters nowhere: so
 * those are ours.
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
  // Headlamp calls this with an object alone to ask whether it has a row, and with a text to ask whether the search finds it.
  // `changesWith` is not read here and is still a dependency: Headlamp keeps the values of a row until it filters anew, which it
  // does when it is given another function. Without it, a column that also shows other objects would keep its first values.
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
    // Headlamp stores the new sorting when it has drawn it.
    setTimeout(() => {
      const { pathname, search } = history.location
      const found = sortInAddress(search, id, localStorage.getItem(storedAt(id)))
      if (found !== search) history.replace({ pathname, search: found })
    }, 50)
  }
  return (
    <Box onClickCapture={follow} onKeyUpCapture={follow} sx={NO_FILTERS_OF_THE_HOST}>
      <ResourceListView
        // Headlamp reads which columns are shown when it first draws the table.
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
