import { ResourceListView } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box } from '@mui/material'
import { useState } from 'react'
import { useHistory, useLocation } from 'react-router-dom'
import type { KubeObjectClass } from '../cluster/classes.ts'
import { sortInAddress, sortOfAddress } from '../model/table-address.ts'

type ListProps = Parameters<typeof ResourceListView>[0]
type Props = Pick<ListProps, 'title' | 'columns'> & {
  readonly id: string
  readonly resourceClass: KubeObjectClass
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
  const { id } = props
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
      <ResourceListView {...props} reflectInURL={id} />
    </Box>
  )
}
