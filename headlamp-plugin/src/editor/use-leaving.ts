import { useEffect, useRef } from 'react'
import { useHistory } from 'react-router-dom'

/**
 * Asks before a text that is not saved is left: by a step back or another page, which `onAsk` may still let happen by calling
 * what it is given, and by a reload or a closed tab, where the browser asks. A text without changes is closed with its page.
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
      // Some browsers ask only when this is set.
      event.returnValue = ''
    }
    window.addEventListener('beforeunload', hold)
    return () => {
      unblock()
      window.removeEventListener('beforeunload', hold)
    }
  }, [isChanged, history])
}
