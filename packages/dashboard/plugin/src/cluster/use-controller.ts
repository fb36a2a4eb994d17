import { K8s } from '@kinvolk/headlamp-plugin/lib'
import { useEffect, useState } from 'react'
import { type Controller, findController } from './controller.ts'

/** Returns the controller that this user can reach, `none` if there is none, or undefined while that is unknown. */
export const useController = (): Controller | 'none' | undefined => {
  const cluster = K8s.useCluster() ?? ''
  const [controller, setController] = useState<Controller | 'none'>()
  useEffect(() => {
    let isOver = false
    void findController(cluster).then((found) => {
      if (!isOver) setController(found ?? 'none')
    })
    return () => {
      isOver = true
    }
  }, [cluster])
  return controller
}
