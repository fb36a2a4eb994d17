import { ResourceListView } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box } from '@mui/material'
import { type ReactNode, useState } from 'react'
import { useHistory, useLocation } from 'react-router-dom'
import type { AnyObject, KubeObjectClass } from '../cluster/classes.ts'
import { sortInAddress, sortOfAddress } from '../model/table-address.ts'
import { ShortText } from './short-text.tsx'
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
  readonly isFilter?: boolean
}

interface Props {
  readonly id: string
  readonly title: string
  readonly resourceClass: KubeObjectClass
  readonly columns: readonly OurColumn[]
}

const columnFor = (breadth: Breadth, column: OurColumn) => {
  const { id, label, getValue, isNarrow = false, needs, isHidden = false, isFilter = false } = column
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
    ...(isFilter ? { filterVariant: 'multi-select' as const } : {}),
  }
}

/** Where Headlamp keeps how a table is sorted. */
const storedAt = (id: string): string => `table_sorting.${id}`

/**
 * Headlamp's list of a kind, with its search, page and sorting in the address: a link shows another person the same. Headlamp
 * does so with search and page, and keeps the sorting in the browser, from where it is taken.
 */
export const OurTable = (props: Props) => {
  const history = useHistory()
  const location = useLocation()
  const breadth = useBreadth()
  const { id, columns } = props
  useState(() => {
    const sort = sortOfAddress(location.search, id)
    if (sort !== undefined) localStorage.setItem(storedAt(id), JSON.stringify([sort]))
  })
  const follow = (): void => {
    // Headlamp stores the new sorting when it has drawn it.
    setTimeout(() => {
      const { pathname, search } = history.location
      const found = sortInAddress(search, id, localStorage.getItem(storedAt(id)))
      if (found !== search) history.replace({ pathname, search: found })
    }, 50)
  }
  return (
    <Box onClickCapture={follow} onKeyUpCapture={follow}>
      <ResourceListView
        // Headlamp reads which columns are shown when it first draws the table.
        key={breadth}
        {...props}
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
