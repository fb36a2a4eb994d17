type Listener = (processes: readonly number[]) => void

const listeners: Listener[] = []

/** Registers a listener. It is called with the process IDs of each control plane that a test file of this process borrows. */
export const onBorrow = (listener: Listener): void => {
  listeners.push(listener)
}

/** Notifies the listeners that this test file has borrowed a control plane with these processes. */
export const reportBorrowed = (processes: readonly number[]): void => {
  for (const listener of listeners) listener(processes)
}
