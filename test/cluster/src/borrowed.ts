type Listener = (processes: readonly number[]) => void

const listeners: Listener[] = []

/** Calls the listener with the ids of the processes of each control plane that a test file of this process gets. */
export const onBorrow = (listener: Listener): void => {
  listeners.push(listener)
}

/** Tells the listeners that this test file got a control plane with these processes. */
export const reportBorrowed = (processes: readonly number[]): void => {
  for (const listener of listeners) listener(processes)
}
