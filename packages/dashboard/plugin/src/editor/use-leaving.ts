import { useEffect, useRef } from 'react'
import { useHistory } from 'react-router-dom'

/**
 * Asks the user before unsaved changes are lost. On navigation within the page, calls `onAsk` with a function that
 * continues the navigation. On reload and when the tab closes, the browser asks. If nothing has changed, neither of
 * them asks.
 */
export const useLeaving = (isChanged: boolean, onAsk: (leave: () => void) => void, onLeft: () => void): void => {
  const history = useHistory()
  const asks = useRef({ onAsk, onLeft })
  asks.current = { onAsk, onLeft }
  useEffect(() => {
    if (!isChanged) {
      const { pathname } = history.location
      return history.listen((location) => {
        if (location.pathname !== pathname) asks.current.onLeft()
      })
    }
    const unblock = history.block((location, action) => {
      asks.current.onAsk(() => {
        unblock()
        if (action === 'POP') history.goBack()
        else history.push(location)
      })
      return false
    })
    const hold = (event: BeforeUnloadEvent): void => {
      event.preventDefault()
      // Some browsers ask only if `returnValue` is set.
      event.returnValue = ''
    }
    window.addEventListener('beforeunload', hold)
    return () => {
      unblock()
      window.removeEventListener('beforeunload', hold)
    }
  }, [isChanged, history])
}
