export { type BuildOptions, buildDashboard } from './build-dashboard.ts'
export {
  type DashboardCluster,
  type DashboardFiles,
  type DashboardOptions,
  DashboardServer,
} from './dashboard-server.ts'
