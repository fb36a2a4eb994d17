import { connect } from 'node:net'
import { reportBorrowed } from './borrowed.ts'
import type { Loan, LoanResponse } from './loan-server.ts'

/**
 * Borrows a resource from the server at the socket `path`. Waits while all resources are in use. Adds the resource's processes to the costs
 * of the test file. If the server can lend nothing, rejects with its reason.
 */
export const borrow = <Access extends { readonly processes: readonly number[] }>(path: string): Promise<Loan<Access>> =>
  new Promise((resolve, reject) => {
    const socket = connect(path)
    let said = ''
    socket.setEncoding('utf8')
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`the lender at ${path} hung up`)))
    socket.on('data', (text: string) => {
      said += text
      const end = said.indexOf('\n')
      if (end < 0) return
      const response = JSON.parse(said.slice(0, end)) as LoanResponse<Access>
      if (!response.ok) {
        reject(new Error(response.error))
        return
      }
      reportBorrowed(response.access.processes)
      resolve({ access: response.access, giveBack: () => socket.destroy() })
    })
  })
